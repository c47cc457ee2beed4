#include "audit/timestamp.h"

#include <gtest/gtest.h>

namespace cordon::audit {
namespace {

constexpr std::int64_t kTime = 1794750133;  // 2026-11-15T13:42:13Z, by date(1)

TEST(ParseTimestamp, TakesEveryForm) {
  EXPECT_EQ(ParseTimestamp("1970-01-01T00:00:00Z"), 0);
  EXPECT_EQ(ParseTimestamp("2026-11-15T13:42:13Z"), kTime * kNsPerSecond);
  EXPECT_EQ(ParseTimestamp("2026-11-15 13:42:13z"), kTime * kNsPerSecond);
  EXPECT_EQ(ParseTimestamp("2026-11-15T13:42:13.123456789Z"), kTime * kNsPerSecond + 123456789);
  EXPECT_EQ(ParseTimestamp("2026-11-15t13:42:13.5Z"), kTime * kNsPerSecond + 500000000);
  EXPECT_EQ(ParseTimestamp("2026-11-15T14:42:13+01:00"), kTime * kNsPerSecond);
  EXPECT_EQ(ParseTimestamp("2026-11-15T08:12:13-05:30"), kTime * kNsPerSecond);
  EXPECT_EQ(ParseTimestamp("2024-02-29T00:00:00Z"), 1709164800 * kNsPerSecond);
  EXPECT_LT(ParseTimestamp("1678-01-01T00:00:00+23:59").value(), 0);
  EXPECT_GT(ParseTimestamp("2261-12-31T23:59:59.999999999-23:59").value(), 0);
}

TEST(ParseTimestamp, RefusesTheRest) {
  for (const char* text : {"",
                           "2026-11-15",
                           "2026-11-15T13:42Z",
                           "2026-11-15T13:42:13",
                           "2026-11-15T13:42:13ZZ",
                           "2026-11-15T13:42:13.Z",
                           "2026-11-15T13:42:13.1234567890Z",
                           "2026-11-15T24:00:00Z",
                           "2026-11-15T13:60:00Z",
                           "2026-11-15T23:59:60Z",
                           "2026-02-29T00:00:00Z",
                           "2026-13-01T00:00:00Z",
                           "2026-00-01T00:00:00Z",
                           "2026-01-00T00:00:00Z",
                           "2026-11-15T13:42:13+24:00",
                           "2026-11-15T13:42:13+0100",
                           " 2026-11-15T13:42:13Z",
                           "2026-11-15T13:42:13Z ",
                           "1677-12-31T00:00:00Z",
                           "2262-01-01T00:00:00Z",
                           "+026-11-15T13:42:13Z",
                           "2026-1-15T13:42:13Z",
                           "2026-11-15T-3:42:13Z"}) {
    EXPECT_FALSE(ParseTimestamp(text)) << text;
  }
}

TEST(ParseDate, IsTheBeginningOfTheDay) {
  EXPECT_EQ(ParseDate("2026-11-15"), 1794700800 * kNsPerSecond);
  EXPECT_FALSE(ParseDate("2026-11-31"));
  EXPECT_FALSE(ParseDate("2026-11-15T"));
  EXPECT_FALSE(ParseDate("15.11.2026"));
}

TEST(FormatSeconds, IsReadBack) {
  EXPECT_EQ(FormatSeconds(kTime * kNsPerSecond + 999999999), "2026-11-15T13:42:13Z");
  EXPECT_EQ(FormatSeconds(-1), "1969-12-31T23:59:59Z");
  for (std::int64_t ns = -9'000'000'000 * kNsPerSecond; ns < 9'000'000'000 * kNsPerSecond;
       ns += 12'345'679 * kNsPerSecond) {
    ASSERT_EQ(ParseTimestamp(FormatSeconds(ns)), ns);
  }
}

}  // namespace
}  // namespace cordon::audit
