// The fallback for unknown systems is built and run on this one too, linked in
// place of the real platform, so that it cannot rot or fail open.
#include <gtest/gtest.h>

#include "platform/attributes.h"
#include "platform/directory.h"
#include "platform/host.h"
#include "platform/name_rules.h"
#include "platform/open.h"

namespace cordon::platform {
namespace {

TEST(UnsupportedPlatform, RefusesToDrawABoundary) {
  const auto opened = OpenHostDirectory("/");
  ASSERT_FALSE(opened.has_value());
  EXPECT_EQ(opened.error().code, ErrorCode::kUnsupported);
}

TEST(UnsupportedPlatform, HasNoResolver) {
  EXPECT_EQ(CheckOpenLinkFree(0).error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(OpenEntry(0, "x", OpenIntent::kRead).error().code, ErrorCode::kUnsupported);
}

TEST(UnsupportedPlatform, MovesNothing) {
  EXPECT_EQ(RenameNoReplace(0, "x", 0, "y").error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(ExchangeEntries(0, "x", 0, "y").error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(LinkEntry(0, "x", 0, "y").error().code, ErrorCode::kUnsupported);
}

TEST(UnsupportedPlatform, CopiesNoAttributes) {
  EXPECT_EQ(CopyUserAttributes(0, 1).error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(CopyAccessList(0, 1).error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(RemoveAccessList(0).error().code, ErrorCode::kUnsupported);
}

TEST(UnsupportedPlatform, AssumesTheWorstOfNames) {
  EXPECT_EQ(NameRulesOf(0), path::NameRules::kAll);
}

}  // namespace
}  // namespace cordon::platform
