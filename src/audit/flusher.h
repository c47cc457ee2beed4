// Brings what was written to the disk: soon by itself, at once when asked.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <thread>

#include "audit/writer.h"
#include "cordon/result.h"

namespace cordon::audit {

// Guarantees: a flush begins at most `flush_after` after Touch, or as soon as the one
//   before has ended: what is staged goes into the file, and the file to the disk.
//   Everything is flushed before it is destroyed, unless the disk is full: what is staged
//   stays so then, and is tried again every `flush_after`. A flush that failed makes the
//   writer refuse: what the disk then holds is not known.
// Thread safety: may be used concurrently.
class Flusher {
 public:
  Flusher(Writer& writer, std::chrono::milliseconds flush_after);
  ~Flusher();

  // Something was written.
  void Touch();
  // Waits until record `seq`, which was written, is on the disk. Whoever waits shares
  // the next flush.
  Status FlushThrough(std::uint64_t seq);

 private:
  void Run();
  Status FlushOnce();
  Status Fail(const Error& error);

  Writer& writer_;
  const std::chrono::milliseconds flush_after_;

  std::atomic<bool> dirty_ = false;
  std::atomic<bool> asleep_ = false;  // must be woken
  std::mutex mutex_;
  std::condition_variable changed_;
  bool stop_ = false;
  bool flushing_ = false;
  std::uint64_t flushed_ = 0;
  std::optional<Error> failed_;
  std::thread thread_;
};

}  // namespace cordon::audit
