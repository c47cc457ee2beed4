// The fallback for unknown systems is built and run on this one too, linked in
// place of the real platform, so that it cannot rot or fail open.
#include <gtest/gtest.h>

#include "platform/host.h"
#include "platform/local_socket.h"
#include "platform/name_rules.h"
#include "platform/open.h"
#include "platform/terminal.h"

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

TEST(UnsupportedPlatform, HasNobodyToAsk) {
  EXPECT_EQ(OpenControllingTerminal().error().code, ErrorCode::kUnsupported);
  EXPECT_FALSE(IsForeground(0));
  EXPECT_EQ(RawMode::Enter(0).error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(DiscardTyped(0).error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(ReadKey(0, std::chrono::milliseconds(0)).state, KeyState::kClosed);
  EXPECT_EQ(WriteTerminal(0, "x", std::chrono::milliseconds(0)).error().code,
            ErrorCode::kUnsupported);
}

TEST(UnsupportedPlatform, KnowsNoPeer) {
  EXPECT_EQ(OpenLocalSocket().error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(AcceptConnection(0).error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(PeerUser(0).error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(OwnUser().error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(OwnProcess().error().code, ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace cordon::platform
