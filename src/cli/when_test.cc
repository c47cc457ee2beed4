#include "cli/when.h"

#include <gtest/gtest.h>

#include <limits>

#include "audit/timestamp.h"

namespace cordon::cli {
namespace {

constexpr std::int64_t kNow = 1'794'750'133 * audit::kNsPerSecond;

std::int64_t When(std::string_view text, SpanEnd end = SpanEnd::kSince) {
  const Result<std::int64_t> when = ParseWhen(text, end, kNow);
  EXPECT_TRUE(when) << text;
  return when ? *when : 0;
}

TEST(ParseWhen, TakesTimes) {
  EXPECT_EQ(When("2026-11-15T13:42:13Z"), kNow);
  EXPECT_EQ(When("2026-11-15T14:42:13+01:00", SpanEnd::kUntil), kNow);
}

TEST(ParseWhen, ADateIsAWholeDay) {
  const std::int64_t day = 1'794'700'800 * audit::kNsPerSecond;
  EXPECT_EQ(When("2026-11-15"), day);
  EXPECT_EQ(When("2026-11-15", SpanEnd::kUntil), day + 86'400 * audit::kNsPerSecond - 1);
}

TEST(ParseWhen, TakesSpansBeforeNow) {
  EXPECT_EQ(When("0s"), kNow);
  EXPECT_EQ(When("90s"), kNow - 90 * audit::kNsPerSecond);
  EXPECT_EQ(When("10m"), kNow - 600 * audit::kNsPerSecond);
  EXPECT_EQ(When("2h"), kNow - 7200 * audit::kNsPerSecond);
  EXPECT_EQ(When("3d", SpanEnd::kUntil), kNow - 259'200 * audit::kNsPerSecond);
  EXPECT_EQ(When("1w"), kNow - 604'800 * audit::kNsPerSecond);
  EXPECT_EQ(When("4294967295w"), kNow - std::numeric_limits<std::int64_t>::max());
}

TEST(ParseWhen, RefusesTheRestAndNamesTheFlag) {
  for (const char* text : {"", "m", "10", "10 m", "-10m", "+1h", "1.5h", "10M", "1y", "yesterday",
                           "0x10m", "4294967296s", "2026-13-01", "15/11/2026", "10mm"}) {
    const Result<std::int64_t> when = ParseWhen(text, SpanEnd::kUntil, kNow);
    ASSERT_FALSE(when) << text;
    EXPECT_EQ(when.error().code, ErrorCode::kInvalidArguments);
    EXPECT_TRUE(when.error().detail.starts_with("--until: ")) << when.error().detail;
  }
}

}  // namespace
}  // namespace cordon::cli
