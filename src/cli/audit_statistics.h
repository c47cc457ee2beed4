// What a log adds up to.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "audit/reader.h"

namespace cordon::cli {

// How often each text came. What it counts comes from a log that anyone may have
// written, so it remembers only so many different ones; the rest it counts together.
class Tally {
 public:
  static constexpr std::size_t kMostTexts = 10'000;

  void Add(const std::string& text);
  using Row = std::pair<std::string, std::uint64_t>;
  // The most frequent first, equals in byte order; at most `count`.
  std::vector<Row> Top(std::size_t count) const;
  std::uint64_t others() const { return others_; }

 private:
  std::unordered_map<std::string, std::uint64_t> counts_;
  std::uint64_t others_ = 0;
};

enum class BucketSize { kMinute, kHour, kDay };
std::string_view BucketName(BucketSize size);  // "minute", ...
std::int64_t BucketNs(BucketSize size);

struct Bucket {
  std::int64_t begin_ns = 0;
  std::uint64_t operations = 0;  // refused ones included
  std::uint64_t refusals = 0;
};

// Operations over time, by the newest kMostBuckets in which there were any.
class Timeline {
 public:
  static constexpr std::size_t kMostBuckets = 1'000;

  explicit Timeline(BucketSize size) : size_(size) {}
  void Add(std::int64_t time_ns, std::uint64_t operations, std::uint64_t refusals);
  BucketSize size() const { return size_; }
  std::vector<Bucket> buckets() const;  // oldest first; those with nothing in them are left out
  // From the first to the last, gaps included.
  std::uint64_t span() const;

 private:
  BucketSize size_;
  std::map<std::int64_t, Bucket> buckets_;
};

class AuditStatistics {
 public:
  void Add(const audit::Entry& entry);

  std::uint64_t records = 0;
  std::uint64_t operations = 0;
  std::uint64_t refusals = 0;
  std::int64_t first_ns = 0, last_ns = 0;  // by time; 0 without records
  Tally events, decisions, refused_rules, refused_paths;

  const Timeline& timeline(BucketSize size) const;
  // The finest that shows the whole time in `rows`.
  BucketSize FittingBuckets(std::uint64_t rows) const;

 private:
  Timeline minutes_{BucketSize::kMinute}, hours_{BucketSize::kHour}, days_{BucketSize::kDay};
};

}  // namespace cordon::cli
