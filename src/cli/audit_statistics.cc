#include "cli/audit_statistics.h"

#include <algorithm>

#include "audit/timestamp.h"

namespace cordon::cli {
namespace {

// Something an agent wanted done. Its end is not another one.
bool IsOperation(const audit::Entry& entry) {
  for (const std::string_view kind : {"file.", "directory.", "link.", "command."}) {
    if (entry.event.starts_with(kind)) return true;
  }
  return entry.event == "sandbox.violation";
}

}  // namespace

void Tally::Add(const std::string& text) {
  const auto known = counts_.find(text);
  if (known != counts_.end()) {
    ++known->second;
  } else if (counts_.size() < kMostTexts) {
    counts_.emplace(text, 1);
  } else {
    ++others_;
  }
}

std::vector<Tally::Row> Tally::Top(std::size_t count) const {
  std::vector<Row> rows(counts_.begin(), counts_.end());
  std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  if (rows.size() > count) rows.resize(count);
  return rows;
}

std::string_view BucketName(BucketSize size) {
  switch (size) {
    case BucketSize::kMinute: return "minute";
    case BucketSize::kHour: return "hour";
    case BucketSize::kDay: return "day";
  }
  return "";
}

std::int64_t BucketNs(BucketSize size) {
  switch (size) {
    case BucketSize::kMinute: return 60 * audit::kNsPerSecond;
    case BucketSize::kHour: return 3600 * audit::kNsPerSecond;
    case BucketSize::kDay: return 86'400 * audit::kNsPerSecond;
  }
  return 1;
}

void Timeline::Add(std::int64_t time_ns, std::uint64_t operations, std::uint64_t refusals) {
  const std::int64_t length = BucketNs(size_);
  const std::int64_t into = (time_ns % length + length) % length;  // also before 1970
  Bucket& bucket = buckets_[time_ns - into];
  bucket.begin_ns = time_ns - into;
  bucket.operations += operations;
  bucket.refusals += refusals;
  if (buckets_.size() > kMostBuckets) buckets_.erase(buckets_.begin());
}

std::vector<Bucket> Timeline::buckets() const {
  std::vector<Bucket> list;
  for (const auto& [begin, bucket] : buckets_) list.push_back(bucket);
  return list;
}

std::uint64_t Timeline::span() const {
  if (buckets_.empty()) return 0;
  // Times of both signs may lie further apart than their type can say.
  const std::uint64_t between = static_cast<std::uint64_t>(buckets_.rbegin()->first) -
                                static_cast<std::uint64_t>(buckets_.begin()->first);
  return between / static_cast<std::uint64_t>(BucketNs(size_)) + 1;
}

void AuditStatistics::Add(const audit::Entry& entry) {
  first_ns = records == 0 ? entry.time_ns : std::min(first_ns, entry.time_ns);
  last_ns = records == 0 ? entry.time_ns : std::max(last_ns, entry.time_ns);
  ++records;
  events.Add(entry.event);
  if (!entry.decision.empty()) decisions.Add(entry.decision);
  if (!IsOperation(entry)) return;
  const bool begins = entry.phase != "end";
  const bool refused = entry.decision == "denied";
  if (!begins && !refused) return;
  operations += begins ? 1 : 0;
  refusals += refused ? 1 : 0;
  for (Timeline* timeline : {&minutes_, &hours_, &days_}) {
    timeline->Add(entry.time_ns, begins ? 1 : 0, refused ? 1 : 0);
  }
  if (!refused) return;
  if (!entry.rule.empty()) refused_rules.Add(entry.rule);
  if (!entry.asked.empty()) refused_paths.Add(entry.asked);
}

const Timeline& AuditStatistics::timeline(BucketSize size) const {
  switch (size) {
    case BucketSize::kMinute: return minutes_;
    case BucketSize::kHour: return hours_;
    case BucketSize::kDay: break;
  }
  return days_;
}

BucketSize AuditStatistics::FittingBuckets(std::uint64_t rows) const {
  if (minutes_.span() <= rows) return BucketSize::kMinute;
  return hours_.span() <= rows ? BucketSize::kHour : BucketSize::kDay;
}

}  // namespace cordon::cli
