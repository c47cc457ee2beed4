// Whatever the call and whatever the way to it: a denied name is not read and not changed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/warden/behind_warden.h"

namespace cordon::warden_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const std::string kAttempt = CORDON_ATTEMPT;

class Denied : public ::testing::Test {
 protected:
  void SetUp() override {
    workspace_.Write(".env", "SECRET\n");
    workspace_.Write("a", "open\n");
    workspace_.Write(".ssh/id", "SECRET\n");
    workspace_.Write("sub/deep/x", "x\n");
    terms_.spec = SpecFor(workspace_.path());
  }
  Outcome Run(const std::string& script) const { return RunScript(terms_, script); }
  Workspace workspace_;
  Terms terms_;
};

TEST_F(Denied, IsRefusedByEveryCall) {
  workspace_.Shell("stat -c '%a %Y %s' .env > ../before; ln -s ../.env sub/link; ln -s . sub/here");
  for (const char* path : {".env", "./.env", "sub/../.env", "sub/here/../.env",
                           "/proc/self/cwd/.env", "/proc/thread-self/cwd/.env"}) {
    const Outcome outcome = Run(kAttempt + " every " + path + " a");
    EXPECT_EQ(outcome.status, 0) << path << " was let through by:\n" << outcome.output;
    EXPECT_TRUE(outcome.WasRefused("deny:.env", "/.env"));
  }
  EXPECT_EQ(workspace_.Read(".env"), "SECRET\n");
  EXPECT_EQ(workspace_.Read("a"), "open\n");
  EXPECT_EQ(workspace_.Shell("stat -c '%a %Y %s' .env | cmp - ../before"), 0);
}

TEST_F(Denied, IsNotMadeByAnyCall) {
  for (const char* made : {".env.local", "sub/.env", "sub/deep/.ssh", "/tmp/.env"}) {
    const Outcome outcome =
        Run("for c in open-append openat creat rename-onto link-onto symlink-onto mkdir mkdirat "
            "mknod mknodat bind; do echo $c $(" +
            kAttempt + " $c " + made + " a); done");
    EXPECT_THAT(outcome.output, Not(HasSubstr(" 0\n"))) << made;
    EXPECT_FALSE(workspace_.Exists(made)) << made;
  }
  EXPECT_EQ(workspace_.Read("a"), "open\n");
}

TEST_F(Denied, IsNotReadThroughLinks) {
  workspace_.Shell(
      "ln -s .env l1; ln -s l1 l2; ln -s $PWD/.env l3; ln -s .ssh k; ln -s a .env.staging");
  const Outcome outcome =
      Run("cat l1; cat l2; cat l3; cat k/id; cat sub/../l2; cat .env.staging; cat < l1; "
          "exec 5<k; cat /proc/self/fd/5/id; ln -s .env l4; cat l4; echo x > l1; echo end");
  EXPECT_THAT(outcome.output, Not(HasSubstr("SECRET")));
  EXPECT_THAT(outcome.output, Not(HasSubstr("open")));
  EXPECT_THAT(outcome.output, HasSubstr("end"));
  EXPECT_EQ(workspace_.Read(".env"), "SECRET\n");
}

TEST_F(Denied, IsNotReadFromWithin) {
  const Outcome outcome =
      Run("cd .ssh && cat id; cat ./id; cat ../.env; cat $PWD/id; mv id ../out; cd ..; mv .ssh s; "
          "echo end");
  EXPECT_THAT(outcome.output, Not(HasSubstr("SECRET")));
  EXPECT_TRUE(workspace_.Exists(".ssh/id"));
  EXPECT_FALSE(workspace_.Exists("out"));
}

TEST_F(Denied, IsNotReadByDescriptor) {
  const Outcome outcome = Run(R"(python3 - <<'END'
import os
def attempt(what):
    try: print(os.read(what(), 20))
    except OSError as e: print(e.errno)
d = os.open('.', os.O_RDONLY | os.O_DIRECTORY)
attempt(lambda: os.open('.env', os.O_RDONLY, dir_fd=d))
s = os.open('.ssh', os.O_PATH | os.O_DIRECTORY)
attempt(lambda: os.open('id', os.O_RDONLY, dir_fd=s))
attempt(lambda: os.open('/proc/self/fd/%d/id' % s, os.O_RDONLY))
attempt(lambda: os.open('/dev/fd/%d/id' % s, os.O_RDONLY))
e = os.open('.env', os.O_PATH)
attempt(lambda: os.open('/proc/self/fd/%d' % e, os.O_RDONLY))
attempt(lambda: e)
print('end')
END)");
  EXPECT_THAT(outcome.output, Not(HasSubstr("SECRET")));
  EXPECT_THAT(outcome.output, HasSubstr("13\n13\n13\n13\n13\n9\nend"));
}

TEST_F(Denied, ReadOnlyStaysSoByDescriptor) {
  policy::DenyRule rule;
  rule.pattern = "frozen";
  rule.operations.reset();
  rule.operations.set(static_cast<std::size_t>(Operation::kWrite));
  terms_.spec.denied.push_back(rule);
  workspace_.Write("frozen", "ice\n");
  const Outcome outcome = Run("cat frozen && " + kAttempt + " by-descriptor frozen");
  EXPECT_EQ(outcome.status, 0) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("ice"));
}

TEST_F(Denied, ReadOnlyPlacesAreNotChanged) {
  workspace_.Write("lib/x", "kept\n");
  terms_.spec.places.push_back({workspace_.path() + "/lib", sandbox::Place::Access::kRead});
  const Outcome outcome =
      Run("cat lib/x; echo y > lib/x; rm lib/x; touch lib/new; mv lib other; mv sub lib/; "
          "ln lib/x second; " +
          kAttempt + " by-descriptor lib/x");
  EXPECT_THAT(outcome.output, HasSubstr("kept"));
  EXPECT_EQ(outcome.status, 0) << outcome.output;
  EXPECT_EQ(workspace_.Read("lib/x"), "kept\n");
  EXPECT_FALSE(workspace_.Exists("lib/new") || workspace_.Exists("second") ||
               workspace_.Exists("other"));
  EXPECT_TRUE(outcome.WasRefused("read-only", "/lib/x"));
}

TEST_F(Denied, DirectoriesWithAnchoredRulesStayWhereTheyAre) {
  policy::DenyRule rule;
  rule.pattern = "conf/keys/*.txt";
  terms_.spec.denied.push_back(rule);
  workspace_.Write("conf/keys/a.txt", "SECRET\n");
  const Outcome outcome =
      Run("cat conf/keys/a.txt; mv conf moved; mv conf/keys k; cat moved/keys/a.txt k/a.txt; "
          "mv conf/keys/a.txt b; echo end");
  EXPECT_THAT(outcome.output, Not(HasSubstr("SECRET")));
  EXPECT_TRUE(workspace_.Exists("conf/keys/a.txt"));
}

TEST_F(Denied, HiddenPathsAreNotThereForAnyCall) {
  workspace_.Write("state/x", "SECRET\n");
  terms_.spec.hidden.push_back(workspace_.path() + "/state");
  const Outcome outcome = Run(kAttempt + " every state/x a; mv state s; cat s/x; cat state/x");
  EXPECT_THAT(outcome.output, Not(HasSubstr("SECRET")));
  EXPECT_TRUE(workspace_.Exists("state/x"));
  EXPECT_TRUE(outcome.WasRefused("hidden", "state/x"));
}

TEST_F(Denied, TheWardenItselfIsNobodysBusiness) {
  const Outcome outcome =
      Run("w=$PPID; for f in environ mem maps auxv fd/0 fd/1 fd/3 fd/4 root/etc/hostname cwd/a exe "
          "task/$w/environ task/$w/mem; do cat /proc/$w/$f >/dev/null 2>&1 && echo let through $f; "
          "done; ls /proc/$w/fd; ls /proc/$w/root/; ls /proc/$w/cwd/; cat /proc/$w/comm; "
          "grep -c . /proc/$w/stat; kill -0 $w && echo alive");
  EXPECT_THAT(outcome.output, Not(HasSubstr("let through")));
  EXPECT_THAT(outcome.output, Not(HasSubstr("etc")));
  EXPECT_THAT(outcome.output, HasSubstr("alive"));
  EXPECT_TRUE(outcome.WasRefused("process:memory", "/environ"));
}

TEST_F(Denied, OutsideIsRefusedOnceAndCounted) {
  const Outcome outcome =
      Run("for i in 1 2 3; do cat /etc/hostname; done; echo x > /etc/new-file; cat /opt/none/x");
  int told = 0;
  for (const auto& refused : outcome.refused) told += refused.path == "/etc/hostname" ? 1 : 0;
  EXPECT_EQ(told, 1);
  EXPECT_EQ(outcome.more.repeated, 2U) << outcome.refused.size();
  EXPECT_TRUE(outcome.WasRefused("outside", "/etc/new-file"));
  EXPECT_TRUE(outcome.WasRefused("outside", "/opt/none/x"));
  ASSERT_FALSE(outcome.refused.empty());
  EXPECT_EQ(outcome.refused[0].program, "cat");
}

TEST_F(Denied, QuietPlacesAreSimplyEmpty) {
  const Outcome outcome =
      Run("cat /run/none /var/none /sys/none /proc/none /dev/none /usr/none /etc/none-at-all none");
  EXPECT_TRUE(outcome.refused.empty()) << outcome.refused[0].path;
  EXPECT_THAT(outcome.output, Not(HasSubstr("denied")));
}

TEST_F(Denied, APersonMayGrantWhatIsOutside) {
  terms_.spec.outside = sandbox::Outside::kAsk;
  terms_.answer = [](const sandbox::Ask& ask) {
    return ask.path == "/etc/hostname" ? "/etc/hostname" : "";
  };
  const Outcome outcome =
      Run("cat /etc/hostname > copy; cat /etc/shadow; echo x > /etc/new; cat a");
  EXPECT_EQ(workspace_.Shell("cmp copy /etc/hostname"), 0) << outcome.output;
  ASSERT_EQ(outcome.asked.size(), 3U);
  EXPECT_EQ(outcome.asked[0].way, sandbox::Ask::Way::kRead);
  EXPECT_EQ(outcome.asked[2].way, sandbox::Ask::Way::kCreate);
  EXPECT_TRUE(outcome.asked[2].truncate);
  EXPECT_THAT(outcome.output, HasSubstr("open"));
}

using Way = sandbox::Ask::Way;

TEST_F(Denied, APersonIsAskedAboutChangesOutside) {
  terms_.spec.outside = sandbox::Outside::kAsk;
  terms_.answer = [](const sandbox::Ask& ask) {
    return ask.way == Way::kMakeDirectory ? "" : "done";
  };
  const Outcome outcome =
      Run("python3 -c \"import os\n"
          "os.rmdir('/opt/none'); os.unlink('/opt/none/x'); os.rename('/opt/a', '/opt/b')\n"
          "try: os.mkdir('/opt/new')\n"
          "except PermissionError: print('not made')\"");
  EXPECT_THAT(outcome.output, HasSubstr("not made"));
  ASSERT_EQ(outcome.asked.size(), 4U) << outcome.output;
  EXPECT_EQ(outcome.asked[0].way, Way::kRemove);
  EXPECT_EQ(outcome.asked[1].path, "/opt/none/x");
  EXPECT_EQ(outcome.asked[2].way, Way::kRename);
  EXPECT_EQ(outcome.asked[2].to, "/opt/b");
  EXPECT_EQ(outcome.asked[3].way, Way::kMakeDirectory);
  EXPECT_TRUE(outcome.refused.empty());
}

TEST_F(Denied, AFileOutsideIsCutIfAPersonAgrees) {
  Workspace outside;
  outside.Write("file", "content");
  const std::string path = outside.path() + "/file";
  terms_.spec.outside = sandbox::Outside::kAsk;
  terms_.answer = [&](const sandbox::Ask& ask) { return ask.way == Way::kWrite ? path : ""; };
  const Outcome outcome = Run("python3 -c \"import os; os.truncate('" + path + "', 3)\"");
  EXPECT_EQ(outcome.status, 0) << outcome.output;
  EXPECT_EQ(outside.Read("file"), "con");
}

// Neither a place itself, nor what holds one, nor across the line, nor what a rule names; and
// no directory is handed over, from which there are ways on.
TEST_F(Denied, NobodyIsAskedAboutWhatMustNotBe) {
  terms_.spec.outside = sandbox::Outside::kAsk;
  terms_.answer = [](const sandbox::Ask&) { return "/opt"; };
  const std::string top = workspace_.path().substr(0, workspace_.path().rfind('/'));
  const Outcome outcome =
      Run("python3 -c \"import os\n"
          "def refused(call, *args):\n"
          "  try: call(*args); print('DONE', args)\n"
          "  except PermissionError: pass\n"
          "refused(os.rename, '" +
          workspace_.path() +
          "', '/opt/w')\n"
          "refused(os.rename, '" +
          top +
          "', '/opt/w')\n"
          "refused(os.rename, '/opt/x', '" +
          workspace_.path() +
          "/x')\n"
          "refused(os.rename, '" +
          workspace_.path() +
          "/a', '/opt/x')\n"
          "refused(os.rmdir, '" +
          workspace_.path() +
          "')\n"
          "refused(os.rename, '/opt/x', '/opt/.env')\n"
          "refused(os.unlink, '/opt/.ssh/id')\n"
          "refused(os.chmod, '/opt', 0o777)\n"
          "refused(os.symlink, 'x', '/opt/x')\"");
  EXPECT_THAT(outcome.output, Not(HasSubstr("DONE")));
  EXPECT_TRUE(outcome.asked.empty()) << outcome.asked[0].path;
  EXPECT_TRUE(workspace_.Exists("a"));
}

}  // namespace
}  // namespace cordon::warden_test
