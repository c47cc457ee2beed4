// The fallback for unknown systems is built and run on this one too, linked in
// place of the real platform, so that it cannot rot or fail open.
#include <gtest/gtest.h>

#include "platform/host.h"
#include "platform/name_rules.h"
#include "platform/open.h"
#include "platform/standard_output.h"

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

TEST(UnsupportedPlatform, AssumesTheWorstOfNames) {
  EXPECT_EQ(NameRulesOf(0), path::NameRules::kAll);
}

TEST(UnsupportedPlatform, DoesNotWaitForSignals) {
  EXPECT_FALSE(DescribeStandardOutput().is_terminal);
  const auto watch = OutputWatch::Begin();
  ASSERT_FALSE(watch.has_value());
  EXPECT_EQ(watch.error().code, ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace cordon::platform
