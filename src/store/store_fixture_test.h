// What the tests of the store share.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <string>

#include "store/store.h"
#include "tests/tree.h"

namespace cordon::store {

// Different for different numbers.
inline SandboxId IdOf(std::uint64_t number) {
  std::array<std::uint8_t, SandboxId::kRandomBytes> random{};
  for (std::size_t i = 0; i < 8; ++i) random[i] = static_cast<std::uint8_t>(number >> (56 - 8 * i));
  return SandboxId::FromRandom(random);
}

inline Sandbox SandboxOf(std::uint64_t number, const std::string& user = "usr_a") {
  Sandbox sandbox{IdOf(number)};
  sandbox.user = user;
  sandbox.driver = "fake";
  sandbox.terms = "{}";
  sandbox.created = sandbox.changed = sandbox.active = static_cast<Time>(number);
  return sandbox;
}

inline Sandbox PooledOf(std::uint64_t number) {
  Sandbox sandbox = SandboxOf(number, "");
  sandbox.pooled = Sandbox::Pooled::kWaiting;
  sandbox.state = SandboxState::kReady;
  return sandbox;
}

inline Conversation ConversationOf(const std::string& id, const std::string& user = "usr_a",
                                   Time created = 1) {
  Conversation conversation;
  conversation.id = id;
  conversation.user = user;
  conversation.title = "about " + id;
  conversation.created = conversation.changed = created;
  return conversation;
}

// What went wrong, for whoever reads the test's output; "" if nothing did.
template <typename T>
std::string Said(const Result<T>& result) {
  if (result) return "";
  return std::string(ErrorCodeName(result.error().code)) + ": " + result.error().detail;
}

#define EXPECT_CODE(expression, expected)                       \
  do {                                                          \
    const auto outcome = (expression);                          \
    ASSERT_FALSE(outcome) << #expression " succeeded";          \
    EXPECT_EQ(outcome.error().code, expected) << Said(outcome); \
  } while (false)
#define ASSERT_DONE(expression)            \
  do {                                     \
    const auto outcome = (expression);     \
    ASSERT_TRUE(outcome) << Said(outcome); \
  } while (false)

inline constexpr std::size_t kMany = 1000;

// Every test runs on a file and in memory, with users a and b.
class StoreTest : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    Reopen();
    ASSERT_DONE(store_->AddUser({"usr_a", "ann", 1}));
    ASSERT_DONE(store_->AddUser({"usr_b", "bob", 2}));
  }
  bool InMemory() const { return std::string_view(GetParam()) == "memory"; }
  std::string Path() const { return InMemory() ? ":memory:" : tree_.At("state/store.db"); }
  void Reopen() {
    store_.reset();
    auto opened = Store::Open(Path());
    ASSERT_TRUE(opened) << Said(opened);
    store_ = std::move(*opened);
  }
  Sandbox Found(std::uint64_t number) { return store_->FindAnySandbox(IdOf(number)).value(); }

  testing::Tree tree_;
  std::unique_ptr<Store> store_;
};

}  // namespace cordon::store

#define STORE_TEST_EVERYWHERE(name)                                               \
  INSTANTIATE_TEST_SUITE_P(Everywhere, name, ::testing::Values("file", "memory"), \
                           [](const auto& info) { return std::string(info.param); })
