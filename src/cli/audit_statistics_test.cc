#include "cli/audit_statistics.h"

#include <gtest/gtest.h>

#include "audit/timestamp.h"

namespace cordon::cli {
namespace {

audit::Entry Of(const char* event, const char* decision, std::int64_t time_ns = 0) {
  audit::Entry entry;
  entry.event = event;
  entry.decision = decision;
  entry.time_ns = time_ns;
  return entry;
}

TEST(AuditStatistics, CountsAnOperationOnceAndARefusalWhereverItStands) {
  AuditStatistics all;
  all.Add(Of("log.opened", ""));
  all.Add(Of("file.read", "allowed"));
  audit::Entry begin = Of("file.write", "allowed");
  begin.phase = "begin";
  all.Add(begin);
  audit::Entry end = Of("file.write", "allowed");
  end.phase = "end";
  all.Add(end);
  audit::Entry refused = Of("sandbox.violation", "denied", 5);
  refused.rule = "boundary";
  refused.asked = "../x";
  all.Add(refused);
  all.Add(Of("consent.decided", "denied", 6));  // no operation
  EXPECT_EQ(all.records, 6u);
  EXPECT_EQ(all.operations, 3u);
  EXPECT_EQ(all.refusals, 1u);
  EXPECT_EQ(all.first_ns, 0);
  EXPECT_EQ(all.last_ns, 6);
  EXPECT_EQ(all.refused_rules.Top(5), (std::vector<Tally::Row>{{"boundary", 1}}));
  EXPECT_EQ(all.refused_paths.Top(5), (std::vector<Tally::Row>{{"../x", 1}}));
  EXPECT_EQ(all.decisions.Top(5), (std::vector<Tally::Row>{{"allowed", 3}, {"denied", 2}}));
}

TEST(AuditStatistics, ChoosesBucketsThatFit) {
  AuditStatistics all;
  EXPECT_EQ(all.FittingBuckets(48), BucketSize::kMinute);
  all.Add(Of("file.read", "allowed", 0));
  all.Add(Of("file.read", "allowed", 47 * 60 * audit::kNsPerSecond));
  EXPECT_EQ(all.FittingBuckets(48), BucketSize::kMinute);
  all.Add(Of("file.read", "allowed", 48 * 60 * audit::kNsPerSecond));
  EXPECT_EQ(all.FittingBuckets(48), BucketSize::kHour);
  all.Add(Of("file.read", "allowed", 48 * 3600 * audit::kNsPerSecond));
  EXPECT_EQ(all.FittingBuckets(48), BucketSize::kDay);
}

TEST(Timeline, PutsTimesIntoTheirBuckets) {
  Timeline hours(BucketSize::kHour);
  hours.Add(-1, 1, 0);
  hours.Add(0, 1, 1);
  hours.Add(3600 * audit::kNsPerSecond - 1, 1, 0);
  const std::vector<Bucket> buckets = hours.buckets();
  ASSERT_EQ(buckets.size(), 2u);
  EXPECT_EQ(buckets[0].begin_ns, -3600 * audit::kNsPerSecond);
  EXPECT_EQ(buckets[1].begin_ns, 0);
  EXPECT_EQ(buckets[1].operations, 2u);
  EXPECT_EQ(buckets[1].refusals, 1u);
  EXPECT_EQ(hours.span(), 2u);
}

TEST(Timeline, ForgetsTheOldest) {
  Timeline minutes(BucketSize::kMinute);
  for (std::int64_t i = 0; i < 3000; ++i) minutes.Add(i * 60 * audit::kNsPerSecond, 1, 0);
  EXPECT_EQ(minutes.buckets().size(), Timeline::kMostBuckets);
  EXPECT_EQ(minutes.buckets().back().begin_ns, 2999 * 60 * audit::kNsPerSecond);
}

TEST(Tally, RemembersOnlySoMany) {
  Tally tally;
  for (std::size_t i = 0; i < Tally::kMostTexts + 5; ++i) tally.Add(std::to_string(i));
  tally.Add("7");
  EXPECT_EQ(tally.others(), 5u);
  EXPECT_EQ(tally.Top(1), (std::vector<Tally::Row>{{"7", 2}}));
}

}  // namespace
}  // namespace cordon::cli
