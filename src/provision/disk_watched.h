// What is known of a sandbox whose disk is watched, in the files that share it.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <string_view>
#include <utility>

#include "provision/disk_watch.h"

namespace cordon::provision {

inline constexpr std::chrono::milliseconds kWhileAttached{500};
inline constexpr std::chrono::milliseconds kSoonAfter{250};
// Of a file system, that nobody here takes the last.
inline constexpr std::uint64_t kLastRoom = 256U << 20U;
inline constexpr std::string_view kReached = "the limit on disk was reached";

inline std::uint64_t Less(std::uint64_t from, std::uint64_t what) {
  return from - std::min(from, what);
}

struct DiskWatch::Watched {
  explicit Watched(SandboxId own) : id(std::move(own)) {}
  const SandboxId id;
  std::mutex looking;  // one at a time; before the other lock
  // The rest is under DiskWatch::mutex_.
  TreeUse most, use, tolerated;
  DiskHold hold = DiskHold::kWatched;
  std::uint64_t reserved = 0;  // given out by Room since the last look
  enum class Known { kNothing, kOutdated, kExactly } known = Known::kNothing;
  std::size_t attached = 0;
  enum class Attention { kAsleep, kAwake } attention = Attention::kAsleep;
  std::uint64_t wakes = 0;
  enum class Rest { kUnknown, kAsked, kFound } rest = Rest::kUnknown;  // whether nothing runs
  std::chrono::milliseconds interval = kSoonAfter;
  Clock::time_point begun, looked, due;  // the last look, and the next
  Clock::duration cost{0};
  std::uint64_t free_then = 0;   // on the file system, when it was looked at
  std::uint64_t stop_below = 0;  // room on the file system
  int failures = 0;
  int background_looks = 0;  // since it was woken
  Extent halting = Extent::kNothing;
  std::uint64_t stops = 0;
  std::string_view why;
  bool ended = false, forgotten = false;
  // Nothing more than there is, or may be.
  void Tolerate() {
    tolerated = {std::max(most.bytes, use.bytes), std::max(most.files, use.files)};
  }
};

}  // namespace cordon::provision
