#include "mcp/state_seal.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

namespace cordon::mcp {
namespace {

const Binding kBinding{"alice", "tools/call", Sha256("arguments")};

TEST(StateSeal, GivesBackWhatItGotOnce) {
  StateSeal seal;
  const std::string sealed = seal.Seal(kBinding, {{"step", 1}});
  const Result<boost::json::object> opened = seal.Open(kBinding, sealed);
  ASSERT_TRUE(opened);
  EXPECT_EQ(opened->at("step").as_int64(), 1);
  EXPECT_FALSE(seal.Open(kBinding, sealed));
}

TEST(StateSeal, HoldsToItsBinding) {
  StateSeal seal;
  const std::string sealed = seal.Seal(kBinding, {});
  Binding other = kBinding;
  other.principal = "bob";
  EXPECT_FALSE(seal.Open(other, sealed));
  other = kBinding;
  other.method = "resources/read";
  EXPECT_FALSE(seal.Open(other, sealed));
  other = kBinding;
  other.arguments = Sha256("others");
  EXPECT_FALSE(seal.Open(other, sealed));
  EXPECT_TRUE(seal.Open(kBinding, sealed)) << "a wrong try must not use it up";
}

TEST(StateSeal, RefusesEveryChangedByte) {
  StateSeal seal;
  const std::string sealed = seal.Seal(kBinding, {{"answer", "deny"}});
  for (std::size_t at = 0; at < sealed.size(); ++at) {
    std::string changed = sealed;
    changed[at] = changed[at] == 'A' ? 'B' : 'A';
    EXPECT_FALSE(seal.Open(kBinding, changed)) << at;
  }
  for (const std::string& nonsense :
       {std::string(), std::string("."), sealed + "0", sealed.substr(1),
        sealed.substr(0, sealed.size() - 1), StateSeal().Seal(kBinding, {})}) {
    EXPECT_FALSE(seal.Open(kBinding, nonsense));
  }
  EXPECT_TRUE(seal.Open(kBinding, sealed));
}

TEST(StateSeal, IsVoidAfterItsTime) {
  std::chrono::system_clock::time_point now{std::chrono::hours(1000)};
  StateSeal seal(std::chrono::seconds(300), [&] { return now; });
  const std::string early = seal.Seal(kBinding, {});
  const std::string late = seal.Seal(kBinding, {});
  now += std::chrono::seconds(299);
  EXPECT_TRUE(seal.Open(kBinding, early));
  now += std::chrono::seconds(2);
  EXPECT_FALSE(seal.Open(kBinding, late));
  EXPECT_FALSE(seal.Open(kBinding, early)) << "forgotten as used, but void";
}

}  // namespace
}  // namespace cordon::mcp
