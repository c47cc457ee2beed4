#include <gtest/gtest.h>

#include "sandbox/message.h"
#include "sandbox/spec.h"

namespace cordon::sandbox {
namespace {

Spec FullSpec() {
  Spec spec;
  spec.arguments = {"sh", "-c", std::string("a\0b", 3)};
  spec.environment = {"A=1", "B="};
  spec.directory = "/w";
  spec.places = {{"/w", Place::Access::kReadWrite, "/workspace"}, {"/w/ro", Place::Access::kRead}};
  spec.system = {{"/usr", Place::Access::kRead}};
  spec.home = "/home/x";
  spec.hidden = {"/w/state"};
  spec.denied = policy::DefaultDenyRules();
  spec.outside = Outside::kAsk;
  spec.listing = Listing::kSupervised;
  spec.network = Network::kProxied;
  spec.terminal = TerminalUse::kOwn;
  spec.limits.wall = std::chrono::milliseconds(1500);
  spec.limits.processors = 1500;
  spec.limits.private_space = 7;
  spec.required = {Layer::kLandlock, Layer::kCapabilities};
  return spec;
}

TEST(Wire, ASpecComesBackAsItWas) {
  const std::string bytes = Encode(FullSpec());
  const Result<Spec> back = DecodeSpec(bytes);
  ASSERT_TRUE(back);
  EXPECT_EQ(Encode(*back), bytes);
  EXPECT_EQ(back->arguments, FullSpec().arguments);
  EXPECT_EQ(back->places, FullSpec().places);
  EXPECT_EQ(back->limits, FullSpec().limits);
  EXPECT_EQ(back->denied.size(), FullSpec().denied.size());
  EXPECT_EQ(back->required, FullSpec().required);
}

TEST(Wire, ACutOrExtendedSpecIsRefused) {
  const std::string bytes = Encode(FullSpec());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(DecodeSpec(bytes.substr(0, size))) << size;
  }
  EXPECT_FALSE(DecodeSpec(bytes + "x"));
}

TEST(Wire, EveryReportComesBack) {
  const Report reports[] = {
      Ready{{Layer::kLandlock}},
      Failed{Failed::Stage::kProgram, "nothing", 2},
      Refused{Operation::kRename, "/w/.env", "deny:.env", "mv", 7},
      RefusedMore{3, 4},
      Ask{9, Ask::Way::kCreate, true, "/etc/x", "tee", 5},
      Ask{10, Ask::Way::kRenameToFree, false, "/etc/x", "mv", 6, "/etc/y"},
      LimitHit{LimitKind::kMemory},
      Ended{3, 9, std::chrono::microseconds(5), 6, 7},
  };
  for (const Report& report : reports) {
    const Result<Report> back = DecodeReport(Encode(report));
    ASSERT_TRUE(back);
    EXPECT_EQ(*back, report);
  }
}

TEST(Wire, EveryOrderComesBack) {
  const Order orders[] = {Answer{4, 13}, Stop{}, Kill{}, Begin{}};
  for (const Order& order : orders) {
    const Result<Order> back = DecodeOrder(Encode(order));
    ASSERT_TRUE(back);
    EXPECT_EQ(*back, order);
  }
}

TEST(Wire, AnUnknownWordIsRefused) {
  std::string bytes = Encode(Report(LimitHit{LimitKind::kWall}));
  bytes[8] = 100;
  EXPECT_FALSE(DecodeReport(bytes));
  bytes[0] = 100;
  EXPECT_FALSE(DecodeReport(bytes));
  EXPECT_FALSE(DecodeReport(""));
}

}  // namespace
}  // namespace cordon::sandbox
