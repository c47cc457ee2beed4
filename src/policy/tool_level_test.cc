#include "policy/tool_level.h"

#include <gtest/gtest.h>

namespace cordon::policy {
namespace {

constexpr ToolKind kKinds[] = {ToolKind::kRead, ToolKind::kWrite, ToolKind::kDelete,
                               ToolKind::kShell};
constexpr ToolLevel kLevels[] = {ToolLevel::kAllow, ToolLevel::kSession, ToolLevel::kAlways,
                                 ToolLevel::kDeny};

TEST(ToolLevel, InteractiveAsksForWhatCanHarm) {
  const auto level = [](ToolKind kind) {
    return LevelOf(Profile::kInteractive, {}, {}, "some_tool", kind);
  };
  EXPECT_EQ(level(ToolKind::kRead), ToolLevel::kAllow);
  EXPECT_EQ(level(ToolKind::kWrite), ToolLevel::kSession);
  EXPECT_EQ(level(ToolKind::kDelete), ToolLevel::kAlways);
  EXPECT_EQ(level(ToolKind::kShell), ToolLevel::kAlways);
}

TEST(ToolLevel, ProfilesThatNobodyWatchesLeaveItToTheBoundary) {
  for (const Profile profile : {Profile::kStrict, Profile::kSandboxed, Profile::kCompat}) {
    for (const ToolKind kind : kKinds) {
      EXPECT_EQ(LevelOf(profile, {}, {}, "t", kind), ToolLevel::kAllow);
    }
  }
}

TEST(ToolLevel, NameBeatsKindBeatsProfile) {
  const std::vector<ToolRule> rules{{"append_file", ToolLevel::kAllow, ""},
                                    {"write", ToolLevel::kDeny, ""}};
  EXPECT_EQ(LevelOf(Profile::kInteractive, rules, {}, "append_file", ToolKind::kWrite),
            ToolLevel::kAllow);
  EXPECT_EQ(LevelOf(Profile::kInteractive, rules, {}, "write_file", ToolKind::kWrite),
            ToolLevel::kDeny);
  EXPECT_EQ(LevelOf(Profile::kInteractive, rules, {}, "delete_path", ToolKind::kDelete),
            ToolLevel::kAlways);
}

TEST(ToolLevel, AWorkspaceOnlyNarrows) {
  for (const ToolLevel by_operator : kLevels) {
    for (const ToolLevel by_workspace : kLevels) {
      const ToolLevel level =
          LevelOf(Profile::kInteractive, {{"write", by_operator, ""}},
                  {{"write_file", by_workspace, ""}}, "write_file", ToolKind::kWrite);
      EXPECT_EQ(level, std::max(by_operator, by_workspace));
    }
  }
}

TEST(ToolLevel, NamesAreReadBack) {
  for (const ToolLevel level : kLevels) EXPECT_EQ(ParseToolLevel(ToolLevelName(level)), level);
  for (const ToolKind kind : kKinds) EXPECT_EQ(ParseToolKind(ToolKindName(kind)), kind);
  EXPECT_FALSE(ParseToolLevel("Allow"));
  EXPECT_FALSE(ParseToolKind(""));
}

}  // namespace
}  // namespace cordon::policy
