#include "warden/judge.h"

#include <gtest/gtest.h>

namespace cordon::warden {
namespace {

using sandbox::Place;

sandbox::Spec SomeSpec() {
  sandbox::Spec spec;
  spec.places = {{"/ws", Place::Access::kReadWrite},
                 {"/ws/vendor", Place::Access::kRead},
                 {"/ws/vendor/mine", Place::Access::kReadWrite}};
  spec.system = {{"/usr", Place::Access::kRead}, {"/etc/passwd", Place::Access::kRead}};
  spec.home = "/home/u";
  spec.hidden = {"/ws/.state"};
  policy::DenyRule rule;
  rule.pattern = ".env";
  spec.denied.push_back(rule);
  rule.pattern = "conf/secret";
  spec.denied.push_back(rule);
  rule.pattern = "*.pem";
  spec.denied.push_back(rule);
  return spec;
}

class JudgeTest : public ::testing::Test {
 protected:
  std::string Rule(std::string_view path, Operation operation = Operation::kRead) const {
    return judge_.Check(path, operation).rule;
  }
  Judge judge_ = std::move(*Judge::Make(SomeSpec(), View::kOwn, 7));
};

TEST(JudgeInside, APlaceIsJudgedWhereItIsSeen) {
  sandbox::Spec spec = SomeSpec();
  spec.places = {{"/var/lib/x/work", Place::Access::kReadWrite, "/workspace"}};
  const Judge judge = std::move(*Judge::Make(spec, View::kOwn, 7));
  EXPECT_EQ(judge.Check("/workspace/a", Operation::kWrite).rule, "");
  EXPECT_EQ(judge.Check("/workspace/.env", Operation::kRead).rule, "deny:.env");
  EXPECT_EQ(judge.Check("/workspace/conf/secret", Operation::kRead).rule, "deny:conf/secret");
  EXPECT_EQ(judge.Check("/var/lib/x/work/a", Operation::kRead).rule, "outside");
}

TEST_F(JudgeTest, TheLongestPlaceCounts) {
  EXPECT_EQ(Rule("/ws/a", Operation::kWrite), "");
  EXPECT_EQ(Rule("/ws/vendor/a"), "");
  EXPECT_EQ(Rule("/ws/vendor/a", Operation::kWrite), "read-only");
  EXPECT_EQ(Rule("/ws/vendor/mine/a", Operation::kWrite), "");
  EXPECT_EQ(Rule("/wsx/a"), "outside");
  EXPECT_EQ(Rule("/"), "outside");
  EXPECT_EQ(Rule("/usr/bin/x", Operation::kCreate), "read-only");
}

TEST_F(JudgeTest, NamesAreDeniedInPlacesAndPrivateDirectories) {
  EXPECT_EQ(Rule("/ws/a/.env"), "deny:.env");
  EXPECT_EQ(Rule("/ws/a/.env/b", Operation::kWrite), "deny:.env");
  EXPECT_EQ(Rule("/home/u/.env"), "deny:.env");
  EXPECT_EQ(Rule("/tmp/x/.env", Operation::kCreate), "deny:.env");
  EXPECT_EQ(Rule("/other/.env"), "deny:.env");
  EXPECT_EQ(Rule("/usr/share/ca.pem"), "");
}

TEST_F(JudgeTest, RulesAreAnchoredAtTheirPlace) {
  EXPECT_EQ(Rule("/ws/conf/secret/x"), "deny:conf/secret");
  EXPECT_EQ(Rule("/ws/vendor/conf/secret"), "deny:conf/secret");
  EXPECT_EQ(Rule("/ws/sub/conf/secret"), "");
  EXPECT_EQ(Rule("/tmp/conf/secret"), "");
}

TEST_F(JudgeTest, WhatWasRemovedKeepsItsName) {
  EXPECT_EQ(Rule("/ws/.env (deleted)"), "deny:.env");
  EXPECT_EQ(Rule("/ws/a (deleted)"), "");
  EXPECT_EQ(Rule("/other/a (deleted)"), "outside");
}

TEST_F(JudgeTest, OnlyWhatHasNoPlaceIsFreeWithoutOne) {
  EXPECT_EQ(Rule("pipe:[12]"), "");
  EXPECT_EQ(Rule("anon_inode:[eventfd]"), "");
  EXPECT_EQ(Rule("/memfd:x (deleted)", Operation::kWrite), "");
  EXPECT_EQ(Rule("(unreachable)/x"), "outside");
  EXPECT_EQ(Rule("(unreachable)/x:[1]"), "outside");
  EXPECT_EQ(Rule(""), "outside");
}

TEST_F(JudgeTest, PlacesThemselvesAreNotMoved) {
  EXPECT_EQ(Rule("/ws", Operation::kRename), "outside");
  EXPECT_EQ(Rule("/tmp", Operation::kDelete), "outside");
  EXPECT_EQ(judge_.KeepsBelow("/ws/conf"), "deny:below");
  EXPECT_EQ(judge_.KeepsBelow("/ws/vendor"), "outside");
  EXPECT_EQ(judge_.KeepsBelow("/ws/plain"), "");
}

TEST_F(JudgeTest, HiddenIsHidden) {
  EXPECT_EQ(Rule("/ws/.state/x"), "hidden");
  EXPECT_EQ(Rule("/ws/.state", Operation::kStat), "hidden");
  EXPECT_EQ(Rule("/ws/.stated"), "");
}

TEST_F(JudgeTest, OfTheWardenOnlyWhatEverybodyKnows) {
  for (const char* fact : {"stat", "status", "cmdline", "comm"}) {
    EXPECT_EQ(Rule(std::string("/proc/7/") + fact), "") << fact;
  }
  for (const char* secret :
       {"mem", "environ", "fd/3", "maps", "root", "cwd", "exe", "task/7/stat"}) {
    EXPECT_EQ(Rule(std::string("/proc/7/") + secret), "process:memory") << secret;
  }
  EXPECT_EQ(Rule("/proc/77/mem"), "");
}

TEST_F(JudgeTest, MissingNamesAreQuietInPlacesAndBesideSystemFiles) {
  for (const char* path : {"/ws/none", "/usr/none", "/etc/none", "/run/x", "/var/x", "/tmp/x"}) {
    EXPECT_TRUE(judge_.IsQuiet(path)) << path;
  }
  EXPECT_FALSE(judge_.IsQuiet("/opt/x"));
  EXPECT_FALSE(judge_.IsQuiet("/home/other/x"));
}

TEST_F(JudgeTest, OtherSpellingsAreSuspected) {
  const Judgement judged = judge_.Check("/ws/a/.ENV", Operation::kRead);
  EXPECT_FALSE(judged.refused());
  ASSERT_FALSE(judged.suspects.empty());
  EXPECT_EQ(judged.suspects[0].holder, "/ws/a");
}

TEST(Normal, ResolvesByText) {
  EXPECT_EQ(Normal("/a//b/./c/../d/"), "/a/b/d");
  EXPECT_EQ(Normal("/../.."), "/");
  EXPECT_EQ(Normal(""), "/");
}

TEST(JudgeOfHostsView, NothingOfTheHostIsPrivateToACommand) {
  sandbox::Spec spec = SomeSpec();
  spec.home = "/home/you";
  const Judge judge = std::move(*Judge::Make(spec, View::kOfHost, 7));
  for (const char* path : {"/tmp/x", "/dev/sda", "/dev/shm/x", "/home/you/notes"}) {
    EXPECT_EQ(judge.Check(path, Operation::kRead).rule, "outside") << path;
    EXPECT_EQ(judge.Check(path, Operation::kWrite).rule, "outside") << path;
  }
  EXPECT_TRUE(judge.Check("/dev/null", Operation::kWrite).clear());
  EXPECT_TRUE(judge.Check("/proc/meminfo", Operation::kRead).clear());
  EXPECT_EQ(judge.Check("/proc/sys/x", Operation::kWrite).rule, "read-only");
}

}  // namespace
}  // namespace cordon::warden
