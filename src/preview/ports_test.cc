#include "preview/ports.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/tree.h"

namespace cordon::preview {
namespace {

SandboxId IdOf(std::uint64_t number) {
  std::array<std::uint8_t, SandboxId::kRandomBytes> bytes{};
  for (std::size_t i = 0; i < 8; ++i) bytes.at(i) = static_cast<std::uint8_t>(number >> (8 * i));
  return SandboxId::FromRandom(bytes);
}

class PortsTest : public ::testing::Test {
 protected:
  void SetUp() override { Reopen(); }
  void Reopen() {
    store_.reset();
    auto opened = store::Store::Open(tree_.At("state/store.db"));
    ASSERT_TRUE(opened.has_value()) << opened.error().detail;
    store_ = std::move(*opened);
  }
  void Add(std::uint64_t number) {
    store::Sandbox sandbox{IdOf(number)};
    sandbox.driver = "fake";
    sandbox.pooled = store::Sandbox::Pooled::kWaiting;
    const Status added = store_->AddSandbox(sandbox, 0);
    ASSERT_TRUE(added.has_value()) << added.error().detail;
  }

  testing::Tree tree_;
  std::shared_ptr<store::Store> store_;
};

TEST_F(PortsTest, TheFirstChoiceFollowsFromTheId) {
  const PortRange range;
  std::set<std::uint16_t> seen;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const std::uint16_t port = FirstChoice(IdOf(i), range);
    EXPECT_EQ(port, FirstChoice(IdOf(i), range));
    EXPECT_GE(port, range.first);
    EXPECT_LE(port, range.last);
    seen.insert(port);
  }
  // Spread as chance would: 1000 of 10000 hit about 952 different ones.
  EXPECT_GT(seen.size(), 900u);
  // Ids with the same letters in another order do not meet.
  EXPECT_NE(FirstChoice(SandboxId::Parse("abcdefghijklmnopqrstuvwxyz").value(), range),
            FirstChoice(SandboxId::Parse("bacdefghijklmnopqrstuvwxyz").value(), range));
}

TEST_F(PortsTest, WhatAnotherProgramHasIsPassedOver) {
  Add(1);
  const PortRange any{20000, 29999};
  const std::uint16_t wanted = FirstChoice(IdOf(1), any);
  Ports ports(store_, any);
  auto first = ports.Reserve(IdOf(1));
  ASSERT_TRUE(first.has_value()) << first.error().detail;
  EXPECT_EQ(first->port, wanted);
  // As after a restart, while something else listens there.
  Ports again(store_, any);
  auto second = again.Reserve(IdOf(1));
  ASSERT_TRUE(second.has_value()) << second.error().detail;
  EXPECT_NE(second->port, wanted);
  EXPECT_EQ(store_->FindAnySandbox(IdOf(1))->port, second->port);
}

TEST_F(PortsTest, KeepItsPortOverARestart) {
  Add(1);
  const PortRange any{20000, 29999};
  std::uint16_t port = 0;
  {
    auto reserved = Ports(store_, any).Reserve(IdOf(1));
    ASSERT_TRUE(reserved.has_value());
    port = reserved->port;
  }
  Reopen();
  EXPECT_EQ(Ports(store_, any).Reserve(IdOf(1))->port, port);
}

TEST_F(PortsTest, AllTakenIsSaid) {
  const PortRange narrow{29100, 29139};
  std::vector<Ports::Reserved> held;
  std::set<std::uint16_t> seen;
  Ports ports(store_, narrow);
  for (std::uint64_t i = 0; i < 40; ++i) {
    Add(i);
    auto reserved = ports.Reserve(IdOf(i));
    ASSERT_TRUE(reserved.has_value()) << i << reserved.error().detail;
    EXPECT_TRUE(seen.insert(reserved->port).second);
    held.push_back(std::move(*reserved));
  }
  Add(40);
  auto none = ports.Reserve(IdOf(40));
  ASSERT_FALSE(none.has_value());
  EXPECT_EQ(none.error().code, ErrorCode::kLimitExceeded);
  EXPECT_NE(none.error().detail.find("taken"), std::string::npos);
  held.erase(held.begin() + 7);
  ASSERT_TRUE(store_->ReleasePort(IdOf(7)).has_value());
  EXPECT_TRUE(ports.Reserve(IdOf(40)).has_value());
}

TEST_F(PortsTest, OnesThatAreNotThereGetNone) {
  auto none = Ports(store_, {}).Reserve(IdOf(1));
  ASSERT_FALSE(none.has_value());
  EXPECT_EQ(none.error().code, ErrorCode::kNotFound);
}

}  // namespace
}  // namespace cordon::preview
