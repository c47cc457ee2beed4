#include "mcp_tools/memory_budget.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>
#include <vector>

namespace cordon::mcp_tools {
namespace {

using std::chrono::milliseconds;
using Waiting = MemoryBudget::Waiting;

constexpr std::uint64_t kMiB = 1u << 20;

TEST(MemoryBudget, SharesEndAndSmallOnesAreFree) {
  MemoryBudget budget({4 * kMiB, 4, milliseconds(20)});
  auto first = budget.Take(3 * kMiB, {}, Waiting::kMay);
  ASSERT_TRUE(first.has_value());
  EXPECT_TRUE(budget.Take(1000, {}, Waiting::kNever).has_value());
  EXPECT_EQ(budget.Take(2 * kMiB, {}, Waiting::kNever).error().code, ErrorCode::kLimitExceeded);
  EXPECT_EQ(budget.Take(2 * kMiB, {}, Waiting::kMay).error().code, ErrorCode::kLimitExceeded);
  first->reset();
  EXPECT_TRUE(budget.Take(2 * kMiB, {}, Waiting::kNever).has_value());
  EXPECT_TRUE(budget.Take(100 * kMiB, {}, Waiting::kNever).has_value());  // alone
}

TEST(MemoryBudget, IsWaitedForByAFewOnly) {
  MemoryBudget budget({2 * kMiB, 2, milliseconds(10'000)});
  auto held = budget.Take(2 * kMiB, {}, Waiting::kMay);
  ASSERT_TRUE(held.has_value());
  std::vector<std::jthread> waiting;
  for (int i = 0; i < 2; ++i) {
    waiting.emplace_back(
        [&] { EXPECT_TRUE(budget.Take(2 * kMiB, {}, Waiting::kMay).has_value()); });
  }
  const auto begin = std::chrono::steady_clock::now();
  // As soon as both wait, a third is refused at once; before that it is stopped.
  ErrorCode code = ErrorCode::kTimeout;
  while (code == ErrorCode::kTimeout) {
    std::stop_source stop;
    stop.request_stop();
    const auto third = budget.Take(2 * kMiB, stop.get_token(), Waiting::kMay);
    ASSERT_FALSE(third.has_value());
    code = third.error().code;
  }
  EXPECT_EQ(code, ErrorCode::kLimitExceeded);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
  held->reset();
}

TEST(MemoryBudget, SharesMayOutliveIt) {
  MemoryBudget::Share share;
  {
    MemoryBudget budget({4 * kMiB, 4, milliseconds(20)});
    share = *budget.Take(3 * kMiB, {}, Waiting::kMay);
  }
  EXPECT_TRUE(share);
}

}  // namespace
}  // namespace cordon::mcp_tools
