#include "cli/audit_chart.h"

#include <gtest/gtest.h>

#include <limits>

#include "audit/timestamp.h"
#include "cli/cells.h"

namespace cordon::cli {
namespace {

constexpr std::int64_t kHourNs = 3600 * audit::kNsPerSecond;
constexpr std::int64_t kBegin = 1'794'747'600 * audit::kNsPerSecond;  // 2026-11-15T13:00:00Z

OutputStyle Narrow() {
  OutputStyle style;
  style.columns = 60;
  return style;
}

TEST(ChartLines, DrawsABarForEachBucketAndTheGaps) {
  const std::vector<Bucket> buckets{{kBegin, 14, 7}, {kBegin + 2 * kHourNs, 28, 0}};
  const std::vector<std::string> lines = ChartLines(buckets, BucketSize::kHour, Narrow());
  const std::string full(60 - 16 - 4 - 13, '#');
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0], "2026-11-15 13:00  #######xxxxxxx  14, 7 refused");
  EXPECT_EQ(lines[1], "2026-11-15 14:00  0");
  EXPECT_EQ(lines[2], "2026-11-15 15:00  " + full + "  28");
}

TEST(ChartLines, TheSmallestIsSeen) {
  const std::vector<Bucket> buckets{{kBegin, 1'000'000, 1}, {kBegin + kHourNs, 1, 1}};
  const auto lines = ChartLines(buckets, BucketSize::kHour, Narrow());
  EXPECT_NE(lines[0].find("#x  "), std::string::npos) << lines[0];
  EXPECT_EQ(lines[1], "2026-11-15 14:00  x  1, 1 refused");
}

TEST(ChartLines, ARefusalAtTheEndOfAnOperationThatBeganEarlier) {
  const auto lines = ChartLines({{kBegin, 0, 2}}, BucketSize::kHour, Narrow());
  EXPECT_NE(lines[0].find("xxxx"), std::string::npos) << lines[0];
}

TEST(ChartLines, HasBlocksWhereTheyCanBeShown) {
  OutputStyle style = Narrow();
  style.glyphs = Glyphs::kUnicode;
  const auto lines = ChartLines({{kBegin, 2, 1}}, BucketSize::kDay, style);
  EXPECT_TRUE(lines[0].starts_with("2026-11-15  █")) << lines[0];
  EXPECT_NE(lines[0].find("█▒"), std::string::npos) << lines[0];
}

TEST(ChartLines, IsNeverWiderThanTheTerminal) {
  const std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  for (std::size_t columns = 80; columns < 200; columns += 7) {
    OutputStyle style;
    style.columns = columns;
    for (const BucketSize size : {BucketSize::kMinute, BucketSize::kHour, BucketSize::kDay}) {
      const std::vector<Bucket> buckets{{kBegin - BucketNs(size), most, most},
                                        {kBegin, most, 0},
                                        {kBegin + BucketNs(size), 3, 1}};
      for (const std::string& line : ChartLines(buckets, size, style)) {
        EXPECT_LE(CellWidth(line), columns) << line;
      }
    }
  }
}

TEST(ChartLines, ShowsTheNewestOfTooMany) {
  std::vector<Bucket> buckets;
  for (int i = 0; i < 60; ++i) buckets.push_back({kBegin + i * kHourNs, 1, 0});
  const auto lines = ChartLines(buckets, BucketSize::kHour, Narrow());
  ASSERT_EQ(lines.size(), kMostBars + 1);
  EXPECT_EQ(lines[0], "(12 earlier ones are not shown)");
  EXPECT_TRUE(lines.back().starts_with("2026-11-18 00:00")) << lines.back();
}

TEST(ChartLines, TimesFarApartTakeNoTime) {
  const std::vector<Bucket> buckets{{-9'000'000'000 * audit::kNsPerSecond, 1, 0},
                                    {9'000'000'000 * audit::kNsPerSecond, 1, 0}};
  EXPECT_EQ(ChartLines(buckets, BucketSize::kMinute, Narrow()).size(), kMostBars + 1);
}

TEST(ChartLines, NothingForNothing) {
  EXPECT_TRUE(ChartLines({}, BucketSize::kHour, Narrow()).empty());
}

}  // namespace
}  // namespace cordon::cli
