// The bytes of one log file, wherever they are.
#pragma once

#include <cstdint>
#include <span>

#include "audit/stage.h"
#include "cordon/result.h"

namespace cordon::audit {

// Those of the file, and behind its end what was staged for it. A byte that moves from the
// stage to the file stays the same byte at the same offset, so it does not matter when the
// file grows: no line is there twice, and none is missing.
class LogBytes {
 public:
  // Of a file for which nothing is staged. `fd` and `staged` must outlive it.
  explicit LogBytes(int fd) : fd_(fd) {}
  LogBytes(int fd, const Staged& staged) : fd_(fd), staged_(&staged) {}

  // Less than asked for only at the end.
  Result<std::size_t> ReadAt(std::uint64_t offset, std::span<char> buffer) const;
  // Where they end, with a file of that size.
  std::uint64_t EndWith(std::uint64_t file_size) const;

 private:
  int fd_;
  const Staged* staged_ = nullptr;
};

}  // namespace cordon::audit
