// Taking an entry off its name and giving it back, with somebody in between.
#include "confine/aside.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "tests/boundary/witness.h"
#include "tests/support/resolvers.h"

namespace cordon::testing {
namespace {

using confine::Expected;
using confine::Place;
using platform::FileIdentity;

constexpr confine::Patience kShort{20};

class Aside : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(Build(scratch_, {FileWith("d/name", "one"), FileWith("d/other", "two"),
                               FileWith("d/own", "mine")}),
              "");
    place_.directory =
        platform::UniqueFd(::open(scratch_.At("d").c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    place_.name = "name";
  }
  FileIdentity At(const std::string& name) const {
    struct stat found = {};
    if (::lstat(scratch_.At("d/" + name).c_str(), &found) != 0) return {};
    return {found.st_dev, found.st_ino};
  }
  void Move(const std::string& from, const std::string& to) const {
    ASSERT_EQ(::rename(scratch_.At("d/" + from).c_str(), scratch_.At("d/" + to).c_str()), 0);
  }
  confine::Undone Undo(const std::string& aside, const FileIdentity& own) const {
    Error why;
    why.detail = "stale";
    const int directory = place_.directory.get();
    return confine::ExchangeBack({directory, aside, directory, place_.name}, own, kShort, why);
  }

  Scratch scratch_;
  Place place_;
};

TEST_F(Aside, TheRightOneIsTakenAndTheWrongOneGetsItsNameBack) {
  const FileIdentity one = At("name");
  const auto wrong = confine::TakeAside(place_, "aside", At("other"), kShort);
  ASSERT_FALSE(wrong.has_value());
  EXPECT_EQ(wrong.error().code, ErrorCode::kStaleFile);
  EXPECT_EQ(At("name"), one);
  ASSERT_TRUE(confine::TakeAside(place_, "aside", one, kShort).has_value());
  EXPECT_EQ(At("name"), FileIdentity{});
  EXPECT_EQ(At("aside"), one);
}

TEST_F(Aside, WhatCannotBePutBackIsKeptAndNamed) {
  const FileIdentity one = At("name");
  const FileIdentity two = At("other");
  const std::string aside = "aside";
  ASSERT_TRUE(confine::TakeAside(place_, aside, one, kShort).has_value());
  Move("other", "name");
  const Error left = confine::PutBack(place_, aside, kShort, Error{});
  EXPECT_NE(left.detail.find(aside), std::string::npos) << left.detail;
  EXPECT_EQ(At("name"), two);
  EXPECT_EQ(At(aside), one);
  Move("name", "other");
  EXPECT_EQ(confine::PutBack(place_, aside, kShort, Error{}).detail, "");
  EXPECT_EQ(At("name"), one);
}

TEST_F(Aside, AnExchangeIsUndone) {
  const FileIdentity own = At("name");  // as after an exchange: ours has the name
  const FileIdentity wrong = At("other");
  const confine::Undone undone = Undo("other", own);
  EXPECT_TRUE(undone.own_is_aside);
  EXPECT_EQ(undone.why.detail, "stale");
  EXPECT_EQ(At("name"), wrong);
  EXPECT_EQ(At("other"), own);
}

TEST_F(Aside, AnExchangeIsUndoneWhenTheNameWasFreedMeanwhile) {
  const FileIdentity wrong = At("other");
  const FileIdentity own = At("own");
  ASSERT_EQ(::unlink(scratch_.At("d/name").c_str()), 0);
  const confine::Undone undone = Undo("other", own);
  EXPECT_FALSE(undone.own_is_aside);
  EXPECT_EQ(undone.why.detail, "stale");
  EXPECT_EQ(At("name"), wrong);
  EXPECT_EQ(At("other"), FileIdentity{});
  EXPECT_EQ(At("own"), own);
}

TEST_F(Aside, NobodysFileIsMovedToUndoAnExchange) {
  const FileIdentity own = At("own");  // somebody moved it off the name
  const FileIdentity third = At("name");
  const FileIdentity wrong = At("other");
  const confine::Undone undone = Undo("other", own);
  EXPECT_FALSE(undone.own_is_aside);
  EXPECT_NE(undone.why.detail.find("\"other\""), std::string::npos);
  EXPECT_EQ(At("name"), third);
  EXPECT_EQ(At("other"), wrong);
}

// From now on renameat2 answers as on a file system that knows no flags.
bool RefuseRenameFlags() {
  sock_filter program[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_renameat2, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args[4])),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EINVAL),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog filter = {6, program};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

class WithoutRenameFlags : public PerResolver {
 protected:
  // What each operation says where flags are unknown, one per line.
  std::string Answers() const {
    const auto root = Open();
    const auto seen = [&](const char* path, Operation operation) {
      return root.Probe(path, operation)->AsExpected();
    };
    const Expected f = seen("f", Operation::kDelete), free = seen("new", Operation::kCreate);
    Expected content;
    content.content = Sha256("seen");
    std::string answers;
    const auto note = [&](const Status& status) { answers += Describe(status) + "\n"; };
    const auto replace = [&](const char* path, const Expected& expected) {
      auto replacement = root.Replace(path, expected);
      if (replacement) note(replacement->Write("new"));
      note(replacement ? replacement->Commit() : Status(replacement.error()));
    };
    replace("new", free);
    replace("new", free);
    replace("f", f);
    replace("f", content);
    note(root.Remove("f", f));
    note(root.RemoveAll("f", f));
    note(root.Rename("f", root, "g", f));
    note(root.Append("f", "!", f));
    note(ReplaceFile(root, "h", "as ever"));
    return answers;
  }
};
CORDON_PER_RESOLVER(WithoutRenameFlags);

TEST_P(WithoutRenameFlags, OnlyWhatIsSafeIsDone) {
  Given({FileWith("root/f", "seen"), FileWith("root/h", "x")});
  int channel[2];
  ASSERT_EQ(::pipe2(channel, O_CLOEXEC), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const std::string answers = RefuseRenameFlags() ? Answers() : "no filter";
    ::_exit(::write(channel[1], answers.data(), answers.size()) > 0 ? 0 : 1);
  }
  ::close(channel[1]);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_EQ(status, 0);
  std::string answers(4096, '\0');
  const ssize_t got = ::read(channel[0], answers.data(), answers.size());
  ::close(channel[0]);
  answers.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
  EXPECT_EQ(answers,
            "allow\nallow\n"  // written, then linked to a free name
            "STALE_FILE race (expected)\n"
            "allow\nUNSUPPORTED\n"
            "allow\nUNSUPPORTED\n"
            "UNSUPPORTED\nUNSUPPORTED\nUNSUPPORTED\n"
            "allow\nallow\n");
  const auto root = Open();
  EXPECT_EQ(ReadFile(root, "new").value_or("?"), "new");
  EXPECT_EQ(ReadFile(root, "f").value_or("?"), "seen!");
  EXPECT_EQ(ReadFile(root, "h").value_or("?"), "as ever");
  EXPECT_EQ(Inside().size(), 3u);
}

}  // namespace
}  // namespace cordon::testing
