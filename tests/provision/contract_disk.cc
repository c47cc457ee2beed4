// The limit on disks: on everything that a sandbox keeps on the host.
#include <gmock/gmock.h>

#include "tests/provision/contract.h"

namespace cordon::provision {
namespace {

using testing::Contains;
using testing::HasSubstr;

constexpr std::uint64_t kMib = 1U << 20U;
constexpr std::uint64_t kLimit = 16 * kMib;
// What a watched sandbox may be over by when it is stopped: see docs/sandboxes.md.
constexpr std::uint64_t kSlack = 256 * kMib;

// A file of a mebibyte each, until none can be written any more.
constexpr const char* kFillByFiles =
    "cd /workspace; i=0; while [ $i -lt 400 ]; do "
    "dd if=/dev/zero of=f$i bs=1048576 count=1 2>/dev/null || exit 3; i=$((i+1)); done; echo all";

class Disk : public Contract {
 protected:
  Facts MadeWith(std::uint64_t disk) {
    Terms terms = TermsFor(NewId());
    terms.resources.disk = disk;
    Own(terms.id);
    id_.emplace(terms.id);
    const auto facts = driver().Create(terms);
    EXPECT_TRUE(facts) << facts.error().detail;
    return facts ? *facts : Facts{};
  }
  const SandboxId& id() const { return *id_; }
  std::uint64_t Used() {
    const auto usage = driver().Inspect(id());
    EXPECT_TRUE(usage) << usage.error().detail;
    return usage ? usage->disk : 0;
  }
  // A write from outside, as a file tool has it.
  bool HasRoom(std::uint64_t bytes) {
    const Status room = driver().Room(id(), bytes);
    if (room) return true;
    EXPECT_EQ(room.error().code, ErrorCode::kLimitExceeded) << room.error().detail;
    EXPECT_EQ(room.error().rule, "disk");
    return false;
  }
  std::optional<SandboxId> id_;
};

TEST_F(Disk, HoldsWhatWasAskedAndSaysHow) {
  const Facts facts = MadeWith(kLimit);
  EXPECT_EQ(facts.resources.disk, kLimit);
  EXPECT_NE(facts.disk_hold, DiskHold::kNot);
  const SandboxId other = NewId();
  Own(other);
  const auto usual = driver().Create(TermsFor(other));
  ASSERT_TRUE(usual) << usual.error().detail;
  EXPECT_EQ(usual->resources.disk, std::uint64_t{10} << 30U);
}

TEST_F(Disk, OneFileEndsAtTheLimit) {
  MadeWith(kLimit);
  const Outcome outcome =
      Sh(id(), "dd if=/dev/zero of=/workspace/big bs=1048576 count=64 && echo all");
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.end.refusals, Contains("the limit on disk was reached"));
  EXPECT_LE(Used(), kLimit + kMib);
}

TEST_F(Disk, ManyFilesEndAtTheLimitAndTheSandboxGoesOn) {
  MadeWith(kLimit);
  const Outcome outcome = Sh(id(), kFillByFiles);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.end.refusals, Contains("the limit on disk was reached"));
  EXPECT_NE(outcome.end.why, ExecEnd::Why::kSandboxGone);
  EXPECT_GT(Used(), kLimit / 2);
  EXPECT_LE(Used(), kLimit + kSlack);
  EXPECT_FALSE(HasRoom(kMib));
  // Removing makes room, for tools as for programs.
  EXPECT_EQ(Sh(id(), "rm /workspace/f*; echo gone").out, "gone\n");
  EXPECT_TRUE(HasRoom(kMib));
  EXPECT_LT(Used(), kMib);
  EXPECT_EQ(
      Sh(id(), "dd if=/dev/zero of=/workspace/new bs=1048576 count=4 2>/dev/null && echo ok").out,
      "ok\n");
}

TEST_F(Disk, EmptyFilesAreNotForNothing) {
  MadeWith(kLimit);  // 4,096 files
  const Outcome outcome = Sh(id(),
                             "cd /workspace; i=0; while [ $i -lt 40000 ]; do : > n$i || exit 3; "
                             "i=$((i+1)); done; echo all");
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.end.refusals, Contains("the limit on disk was reached"));
}

TEST_F(Disk, TheDeathOfProgramsIsInTheLog) {
  if (MadeWith(kLimit).disk_hold != DiskHold::kWatched) GTEST_SKIP() << "a quota stops nobody";
  Sh(id(), kFillByFiles);
  ASSERT_TRUE(under_test().KillByForce(id()));
  EXPECT_TRUE(Eventually([&] { return !driver().Start(id(), Shell("true")); }));
  EXPECT_THAT(driver().Autopsy(id())->last_lines, HasSubstr("the limit on disk was reached"));
}

TEST_F(Disk, TheOthersAreLeftAlone) {
  MadeWith(kLimit);
  const SandboxId other = Made();
  auto quiet = driver().Start(other, Shell("sleep 2; echo fine > /workspace/a; cat /workspace/a"));
  ASSERT_TRUE(quiet) << quiet.error().detail;
  Sh(id(), kFillByFiles);
  const Outcome outcome = Finish(**quiet);
  EXPECT_EQ(outcome.out, "fine\n");
  EXPECT_TRUE(outcome.end.refusals.empty());
}

TEST_F(Disk, WhatIsWrittenFromOutsideCounts) {
  MadeWith(kLimit);
  EXPECT_TRUE(HasRoom(kLimit / 2));
  ASSERT_TRUE(under_test().WriteWorkspaceFile(id(), "much", std::string(kLimit / 2 + kMib, 'x')));
  EXPECT_TRUE(HasRoom(kMib));
  EXPECT_FALSE(HasRoom(kLimit / 2));
  EXPECT_GE(Used(), kLimit / 2);
}

TEST_F(Disk, HolesAndSecondNamesTakeNothing) {
  MadeWith(kLimit);
  const Outcome outcome = Sh(id(),
                             "cd /workspace; for i in 1 2 3 4 5 6 7 8; do "
                             "dd if=/dev/zero of=s$i bs=1 count=1 seek=15000000 2>/dev/null; done; "
                             "dd if=/dev/zero of=real bs=1048576 count=6 2>/dev/null; "
                             "for i in 1 2 3 4 5 6 7 8; do ln real l$i; done; sleep 1; echo all");
  EXPECT_EQ(outcome.out, "all\n");
  EXPECT_TRUE(outcome.end.refusals.empty());
  EXPECT_LT(Used(), 10 * kMib);
  EXPECT_TRUE(HasRoom(kMib));
}

TEST_F(Disk, ShutDirectoriesHideNothing) {
  MadeWith(kLimit);
  Sh(id(),
     "cd /workspace; mkdir d; dd if=/dev/zero of=d/x bs=1048576 count=10 2>/dev/null; chmod 0 d");
  EXPECT_GE(Used(), 10 * kMib);
  EXPECT_FALSE(HasRoom(10 * kMib));
}

TEST_F(Disk, DeepDirectoriesAreCountedToTheirEnd) {
  MadeWith(kLimit);
  const Outcome outcome =
      Sh(id(),
         "cd /workspace; i=0; while [ $i -lt 400 ]; do mkdir d && cd d; "
         "i=$((i+1)); done; dd if=/dev/zero of=x bs=1048576 count=10 && echo all");
  EXPECT_EQ(outcome.out, "all\n") << outcome.err;
  EXPECT_GE(Used(), 10 * kMib);
}

TEST_F(Disk, BlocksThatAreReservedCount) {
  MadeWith(kLimit);
  // Past the end of the file, where no limit on its size is asked.
  Sh(id(), "fallocate -n -l 209715200 /workspace/reserved; fallocate -l 209715200 /workspace/more");
  if (Used() > kLimit) {
    EXPECT_FALSE(HasRoom(1));
  }
  EXPECT_LE(Used(), kLimit + kSlack);
}

TEST_F(Disk, WhatRunsInTheBackgroundIsStopped) {
  if (MadeWith(kLimit).disk_hold != DiskHold::kWatched) GTEST_SKIP() << "a quota stops nobody";
  const std::string mark = Mark();
  ExecTerms terms = Shell(
      "sleep 2; cd /workspace; i=0; while [ $i -lt 4000 ]; do "
      "dd if=/dev/zero of=f$i bs=1048576 count=1 2>/dev/null; i=$((i+1)); done; exec sleep " +
      mark);
  terms.bond = ExecTerms::Bond::kDetached;
  ASSERT_TRUE(driver().Start(id(), terms));
  EXPECT_TRUE(Eventually([&] {
    const auto usage = driver().Inspect(id());
    return usage && usage->disk > kLimit && usage->processes.empty();
  }));
  EXPECT_LE(Used(), kLimit + kSlack);
}

TEST_F(Disk, HoldsInTheHandsOfALaterServer) {
  const Facts facts = MadeWith(kLimit);
  const auto later = under_test().Another();
  ASSERT_TRUE(later);
  const auto found = (*later)->Adopt(id());
  ASSERT_TRUE(found) << found.error().detail;
  EXPECT_EQ(found->resources.disk, kLimit);
  EXPECT_EQ(found->disk_hold, facts.disk_hold);
  auto exec = (*later)->Start(id(), Shell(kFillByFiles));
  ASSERT_TRUE(exec) << exec.error().detail;
  (*exec)->CloseInput();
  const Outcome outcome = Finish(**exec);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.end.refusals, Contains("the limit on disk was reached"));
  EXPECT_FALSE((*later)->Room(id(), kMib));
}

// Everywhere else is memory, which has its own limit, or cannot be written.
TEST_F(Disk, NothingElseOnTheHostsDiskCanBeWritten) {
  MadeWith(kLimit);
  const Outcome outcome =
      Sh(id(),
         "while read -r what place type options rest; do "
         "case $options in rw|rw,*) ;; *) continue;; esac; "
         "case $type in tmpfs|devtmpfs|proc|sysfs|devpts|mqueue|cgroup|cgroup2) "
         "continue;; esac; "
         "case $place in /workspace|/.cordon/log) continue;; esac; "
         "echo \"$place $type\"; done < /proc/mounts; echo end");
  EXPECT_EQ(outcome.out, "end\n");
}

}  // namespace
}  // namespace cordon::provision
