// Ways round the guard that once worked.
#include "tests/guard/guard_fixture.h"

namespace cordon::testing {
namespace {

using policy::Protected;

const guard::Call kMove{"move_path", policy::ToolKind::kWrite, {}};
const guard::Call kList{"list_directory", policy::ToolKind::kRead, {}};

class GuardAttack : public GuardTest {
 protected:
  void Deny(const std::string& pattern) {
    policy::DenyRule rule;
    rule.pattern = pattern;
    settings_.deny.push_back(rule);
  }
};

TEST_F(GuardAttack, AGrantedDirectoryKeepsTheRulesThatAreAnchoredAboveIt) {
  Deny(At("o/deep/h"));
  StartAnswering(Choice::kDirectory);
  EXPECT_EQ(*Read(At("o/f")), "outside");
  EXPECT_FALSE(Read(At("o/deep/h")));
  const auto listed = guard_->List(kList, At("o/deep"));
  ASSERT_TRUE(listed);
  EXPECT_TRUE(listed->empty());
  EXPECT_FALSE(guard_->Rename(kMove, At("o/deep"), At("o/deep2")));
  EXPECT_FALSE(Exists(At("o/deep2")));
}

TEST_F(GuardAttack, APlaceInsideAnotherKeepsTheOuterOnesRules) {
  settings_.profile = policy::Profile::kStrict;
  settings_.read_only_roots = {At("w/sub")};
  WriteFile(At("w/sub/secret"), "secret");
  WriteFile(At("w/sub/plain"), "plain");
  Deny("sub/secret");
  Deny("**/sub/deep");
  ASSERT_EQ(::mkdir(At("w/sub/deep").c_str(), 0755), 0);
  WriteFile(At("w/sub/deep/x"), "secret");
  Start();
  for (const std::string& path : {std::string("sub/secret"), At("w/sub/secret"),
                                  std::string("sub/deep/x"), At("w/sub/deep/x")}) {
    EXPECT_EQ(CodeOf(Read(path)), "PATH_DENIED") << path;
  }
  EXPECT_EQ(*Read(At("w/sub/plain")), "plain");
}

TEST_F(GuardAttack, CordonsOwnDirectoryBehindALinkCannotBeReplaced) {
  settings_.profile = policy::Profile::kStrict;
  ASSERT_EQ(::mkdir(At("w/.config").c_str(), 0755), 0);
  ASSERT_EQ(::symlink(At("o").c_str(), At("w/.config/cordon").c_str()), 0);
  settings_.own = {{At("w/.config/cordon"), Protected::From::kChanges, Protected::Names::kThis}};
  Start();
  EXPECT_EQ(CodeOf(Remove(".config/cordon")), "PATH_DENIED");
  EXPECT_EQ(CodeOf(guard_->Rename(kMove, ".config/cordon", "x")), "PATH_DENIED");
  EXPECT_EQ(CodeOf(guard_->Rename(kMove, ".config", "x")), "PATH_DENIED");
  EXPECT_EQ(CodeOf(guard_->Rename(kMove, "sub", ".config/cordon")), "PATH_DENIED");
  EXPECT_TRUE(Exists(At("w/.config/cordon")));
}

TEST_F(GuardAttack, NoLinkIsPutAboveCordonsOwnDirectoryOrTakenAway) {
  settings_.profile = policy::Profile::kStrict;
  settings_.own = {{At("w/.config/cordon"), Protected::From::kChanges, Protected::Names::kThis},
                   {At("w/there/cordon"), Protected::From::kChanges, Protected::Names::kThis}};
  ASSERT_EQ(::symlink("sub", At("w/l").c_str()), 0);
  ASSERT_EQ(::symlink("sub", At("w/there").c_str()), 0);
  Start();
  EXPECT_EQ(CodeOf(guard_->Rename(kMove, "l", ".config")), "PATH_DENIED");
  EXPECT_EQ(CodeOf(guard_->Symlink(kMove, "sub", ".config")), "PATH_DENIED");
  EXPECT_EQ(CodeOf(guard_->Rename(kMove, "sub", ".config")), "PATH_DENIED");
  EXPECT_EQ(CodeOf(Remove("there")), "PATH_DENIED");
  EXPECT_EQ(CodeOf(guard_->RemoveAll(kMove, "there")), "PATH_DENIED");
  EXPECT_EQ(CodeOf(guard_->Rename(kMove, "there", "x")), "PATH_DENIED");
  EXPECT_FALSE(Exists(At("w/.config")));
  EXPECT_TRUE(Exists(At("w/there")));
  EXPECT_TRUE(Remove("l"));
}

TEST_F(GuardAttack, TheLogsSiblingsAreProtectedByHowTheirNamesBegin) {
  settings_.protection = policy::Protection::kOff;
  settings_.own = {{At("o/log"), Protected::From::kEverything, Protected::Names::kBeginningWith}};
  for (const char* name : {"o/log", "o/log.head", "o/log.000001"}) WriteFile(At(name), "x");
  Start();
  for (const char* name : {"o/log", "o/log.head", "o/log.000001", "o/log.next"}) {
    EXPECT_FALSE(Read(At(name))) << name;
    EXPECT_FALSE(Write(At(name), "y")) << name;
    EXPECT_FALSE(guard_->Rename(kMove, At("o/f"), At(name))) << name;
  }
  EXPECT_FALSE(guard_->Rename(kMove, At("o"), At("p")));
  EXPECT_TRUE(Read(At("o/f")));
}

TEST_F(GuardAttack, MakingDirectoriesTellsNobodyWhichOnesAreThere) {
  Start();
  const guard::Call call{"create_directory", policy::ToolKind::kWrite, {}};
  for (const char* path : {"o", "o/deep", "o/missing", "o/f", "nowhere/at/all"}) {
    EXPECT_EQ(CodeOf(guard_->MkdirAll(call, At(path))), "CONSENT_UNAVAILABLE") << path;
  }
}

TEST_F(GuardAttack, WhatCannotBeDoneIsAskedOnceAndToldAsItIs) {
  ASSERT_EQ(::mkfifo(At("o/fifo").c_str(), 0600), 0);
  StartAnswering(Choice::kOnce);
  EXPECT_EQ(CodeOf(Read(At("o/deep"))), "IS_A_DIRECTORY");
  EXPECT_EQ(CodeOf(Read(At("o/fifo"))), "NOT_A_REGULAR_FILE");
  EXPECT_EQ(CodeOf(guard_->List(kList, At("o/f"))), "NOT_A_DIRECTORY");
  EXPECT_EQ(CodeOf(Write(At("o/deep"), "x")), "IS_A_DIRECTORY");
  EXPECT_EQ(CodeOf(guard_->Append(kMove, At("o/fifo"), "x")), "NOT_A_REGULAR_FILE");
  EXPECT_EQ(Asked(), 5U);
}

TEST_F(GuardAttack, ARefusalDoesNotTellWhereALinkLeads) {
  settings_.own = {{At("o/deep"), Protected::From::kEverything, Protected::Names::kThis}};
  ASSERT_EQ(::symlink(At("o/deep/h").c_str(), At("w/l").c_str()), 0);
  Start();
  const auto read = Read("l");
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().rule.find("deep"), std::string::npos);
  EXPECT_EQ(read.error().component.find("deep"), std::string::npos);
  EXPECT_EQ(read.error().Message("l").find("deep"), std::string::npos);
}

TEST_F(GuardAttack, QuestionsHaveNamesOfTheirOwn) {
  StartAnswering(Choice::kOnce);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(Read(At("o/f")));
  const auto asked = channel_->asked();
  ASSERT_EQ(asked.size(), 3U);
  EXPECT_EQ(asked[0].id.size(), 32U);
  EXPECT_NE(asked[0].id, asked[1].id);
}

TEST_F(GuardAttack, EndlessPathsAreRecordedByTheirBeginning) {
  Start();
  const std::string path(1'100'000, 'a');
  EXPECT_EQ(CodeOf(Read(path)), "INVALID_PATH");
  ASSERT_FALSE(recorder_->records().empty());
  EXPECT_EQ(recorder_->records().back().asked.size(), 64U << 10);
}

}  // namespace
}  // namespace cordon::testing
