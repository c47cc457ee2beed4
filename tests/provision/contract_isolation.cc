// What nothing inside may reach.
#include "tests/provision/contract.h"

namespace cordon::provision {
namespace {

class Isolated : public Contract {
 protected:
  void SetUp() override {
    Contract::SetUp();
    if (IsSkipped()) return;
    id_.emplace(Made());
  }
  const SandboxId& id() const { return *id_; }
  std::optional<SandboxId> id_;
};

TEST_F(Isolated, TheHostsFilesAreNotThere) {
  const std::string secret = under_test().SecretOfHost();
  const Outcome outcome = Sh(id(), "cat '" + secret + "'");
  EXPECT_NE(outcome.end.status, 0);
  EXPECT_EQ(outcome.out, "");
}

TEST_F(Isolated, NoWayOutByLinksOrDots) {
  const std::string secret = under_test().SecretOfHost();
  const Outcome outcome =
      Sh(id(), "ln -s '" + secret + "' link; cat link; cat ../../../../.." + secret +
                   "; cat /proc/1/root" + secret + "; cat /proc/self/root" + secret);
  EXPECT_EQ(outcome.out, "");
}

TEST_F(Isolated, TheSystemIsNotChanged) {
  const Outcome outcome = Sh(id(),
                             "echo x > /usr/bin/made; echo x >> /etc/passwd; rm -f /bin/sh; mkdir "
                             "/made; test -e /bin/sh && echo kept");
  EXPECT_EQ(outcome.out, "kept\n");
  EXPECT_EQ(Sh(id(), "test -e /usr/bin/made || test -e /made || echo none").out, "none\n");
}

TEST_F(Isolated, NoRightsAreHeld) {
  const Outcome outcome =
      Sh(id(), "grep -E '^(CapEff|CapPrm|NoNewPrivs)' /proc/self/status | tr -d '\\t'");
  EXPECT_NE(outcome.out.find("CapEff:0000000000000000"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("CapPrm:0000000000000000"), std::string::npos) << outcome.out;
}

TEST_F(Isolated, NothingCanBeMounted) {
  EXPECT_NE(Sh(id(), "mount -t tmpfs none /tmp").end.status, 0);
}

TEST_F(Isolated, NoUserCanBeBecome) { EXPECT_NE(Sh(id(), "chown 12345 /workspace").end.status, 0); }

TEST_F(Isolated, TheHostsProcessesAreNotSeen) {
  const Outcome outcome = Sh(id(), "cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' '");
  EXPECT_EQ(outcome.out.find("gtest"), std::string::npos);
  EXPECT_EQ(outcome.out.find("contract"), std::string::npos) << outcome.out;
}

TEST_F(Isolated, TheHostsProcessesAreNotSignalled) {
  // A number that is this process's here is nobody's there, or another one's.
  const std::string own = std::to_string(::getpid());
  Sh(id(), "kill -9 " + own + "; kill -9 -- -" + own);
  SUCCEED();  // or this process would be gone
}

TEST_F(Isolated, TheFirstProcessInsideIsNotKilledFromInside) {
  Sh(id(), "kill -9 1; kill -STOP 1; kill -TERM 1");
  EXPECT_EQ(Sh(id(), "echo on").out, "on\n");
}

TEST_F(Isolated, MemoryOfTheFirstProcessIsNotRead) {
  const Outcome outcome = Sh(id(),
                             "(: </proc/1/mem) 2>/dev/null && echo mem; (: >/proc/1/mem) "
                             "2>/dev/null && echo written; cat /proc/1/exe 2>/dev/null | wc -c | "
                             "tr -d ' '; ls /proc/1/cwd/ /proc/1/root/ 2>/dev/null; true");
  EXPECT_EQ(outcome.out, "0\n");
}

TEST_F(Isolated, NothingElseIsToldOfTheFirstProcess) {
  if (!abilities().hides_first_process) GTEST_SKIP() << "the kernel inside shows it to all";
  EXPECT_EQ(
      Sh(id(),
         "cat /proc/1/environ /proc/1/mem /proc/1/maps 2>/dev/null | head -c 1 | wc -c | tr -d ' '")
          .out,
      "0\n");
}

TEST_F(Isolated, ThereIsNoNetworkButLoopback) {
  const Outcome outcome = Sh(id(), "cat /proc/net/dev | tail -n +3 | cut -d: -f1 | tr -d ' '");
  EXPECT_EQ(outcome.out, "lo\n");
}

TEST_F(Isolated, TheHostsLoopbackIsNotReached) {
  // Something of the host that listens; inside nobody does.
  EXPECT_EQ(driver().Connect(id(), 22).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(Sh(id(), "cat /proc/net/tcp | tail -n +2").out, "");
}

TEST_F(Isolated, AnotherSandboxsFilesAreNotThere) {
  const SandboxId other = Made();
  Sh(other, "echo theirs > /workspace/file");
  const Outcome outcome = Sh(id(), "cat /workspace/file; ls -d /*/*" + other.text() +
                                       "*; ls -R / 2>/dev/null | grep " + other.text());
  EXPECT_EQ(outcome.out, "");
}

TEST_F(Isolated, AnotherSandboxsPathOnTheHostIsNotThere) {
  const SandboxId other = Made();
  const auto files = driver().Files(other);
  ASSERT_TRUE(files);
  if (files->way != FileAccess::Way::kDirectory) GTEST_SKIP() << "it has none";
  Sh(other, "echo theirs > /workspace/file");
  EXPECT_EQ(Sh(id(), "cat '" + files->path + "/file'; ls '" + files->path + "'").out, "");
}

TEST_F(Isolated, AnotherSandboxsProcessesAreNotSeenOrSignalled) {
  const SandboxId other = Made();
  const std::string mark = Mark();
  const auto exec = driver().Start(other, Shell("exec sleep " + mark));
  ASSERT_TRUE(exec);
  ASSERT_TRUE(Eventually([&] { return CountOf(other, mark) == 1; }));
  EXPECT_EQ(CountOf(id(), mark), 0U);
  const Outcome outcome =
      Sh(id(),
         "cat /proc/[0-9]*/cmdline | tr '\\0' ' '; i=2; while [ $i -lt 60 ]; do [ $i != $$ ] && [ "
         "$i != $PPID ] && kill -9 $i; i=$((i+1)); done 2>/dev/null");
  EXPECT_EQ(outcome.out.find(mark), std::string::npos);
  EXPECT_EQ(CountOf(other, mark), 1U);
}

TEST_F(Isolated, AnotherSandboxsPortsAreNotReached) {
  constexpr int kPort = 18090;
  const SandboxId other = Made();
  auto exec = driver().Start(other, Shell(under_test().ListenScript(kPort)));
  ASSERT_TRUE(exec);
  Until(**exec, "listening");
  EXPECT_EQ(driver().Connect(id(), kPort).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(Sh(id(), "cat /proc/net/tcp | tail -n +2").out, "");
}

TEST_F(Isolated, NoSocketOfTheHostIsReached) {
  const Outcome outcome = Sh(id(),
                             "ls -d /run/docker.sock /var/run/docker.sock /run/systemd /run/dbus "
                             "2>/dev/null; find / -type s 2>/dev/null");
  EXPECT_EQ(outcome.out, "");
}

TEST_F(Isolated, NoDescriptorIsInherited) {
  // Neither piped nor redirected: some shells have more open while they do that.
  EXPECT_EQ(Sh(id(), "ls /proc/$$/fd; true").out, "0\n1\n2\n");
}

TEST_F(Isolated, StrongerIsolationThanThereIsFailsAndLeavesNothing) {
  if (driver().name() == "docker+runsc") GTEST_SKIP() << "there is none";
  Terms terms = TermsFor(NewId());
  terms.isolation = Isolation::kGvisor;
  const auto facts = driver().Create(terms);
  ASSERT_FALSE(facts);
  EXPECT_EQ(facts.error().code, ErrorCode::kSandboxRequired);
  EXPECT_EQ(under_test().LeftOf(terms.id), "");
}

TEST_F(Isolated, RefusalsAreTold) {
  if (!abilities().reports_refusals) GTEST_SKIP() << "this driver cannot tell";
  const Outcome outcome = Sh(id(), "echo x > /usr/made");
  ASSERT_FALSE(outcome.end.refusals.empty());
  EXPECT_NE(outcome.end.refusals.front().find("/usr/made"), std::string::npos);
}

TEST_F(Isolated, AHostileTreeIsRemoved) {
  Sh(id(),
     "i=0; while [ $i -lt 200 ]; do mkdir dddddddddd && cd dddddddddd || break; i=$((i+1)); done; "
     "echo x > f; chmod 0 f");
  Sh(id(),
     "mkdir shut && echo x > shut/f && mkdir shut/in && chmod 0 shut/in && chmod 100 shut; ln -s / "
     "root; ln -s .. up; mkfifo fifo; : > \"$(printf 'odd\\nname')\"; chmod 0 .");
  EXPECT_TRUE(driver().Destroy(id()));
  EXPECT_EQ(under_test().LeftOf(id()), "");
}

}  // namespace
}  // namespace cordon::provision
