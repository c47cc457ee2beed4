// A lock on an open file that holds among processes and ends with its holder.
#pragma once

#include "cordon/result.h"

namespace cordon::platform {

// Held until destroyed; waits for whoever holds it. Two descriptors that were opened
// apart exclude each other, also within one process; duplicates do not.
class FileLock {
 public:
  enum class Kind { kShared, kExclusive };
  static Result<FileLock> Take(int fd, Kind kind);
  // The same without waiting. Errors: kTimeout when somebody holds it.
  static Result<FileLock> TryTake(int fd, Kind kind);
  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&&) = delete;
  ~FileLock();

 private:
  explicit FileLock(int fd) : fd_(fd) {}
  int fd_;
};

}  // namespace cordon::platform
