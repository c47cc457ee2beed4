// The processes that can be seen, and what they use.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "cordon/result.h"
#include "platform/unique_fd.h"

namespace cordon::platform {

struct Usage {
  std::uint64_t threads = 0;
  std::uint64_t cpu_us = 0;   // theirs, and of children they waited for
  std::uint64_t memory = 0;   // bytes in memory that are not of files
  std::uint64_t written = 0;  // bytes caused to be written to disks; without ended children
};

// All descendants of this process, in no order.
std::vector<std::int64_t> Descendants();

// Opened once, so that sampling works on when nothing more can be opened by name.
// Does not guarantee: processes that start or end meanwhile are in it or not.
class ProcessWatch {
 public:
  static Result<ProcessWatch> Open();
  // What all descendants use now, together.
  Usage Sample() const;
  // The number of the newest process here; none: not known. Counts up, and begins again.
  std::optional<std::uint64_t> NewestNumber() const;
  // Written by this process and by those children of it that were waited for.
  std::uint64_t WrittenByEnded() const;

 private:
  ProcessWatch(UniqueFd processes, UniqueFd own, UniqueFd load)
      : processes_(std::move(processes)), own_(std::move(own)), load_(std::move(load)) {}
  UniqueFd processes_, own_, load_;
};

}  // namespace cordon::platform
