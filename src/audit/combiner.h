// Lets threads that append at the same time share one write.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "audit/writer.h"
#include "cordon/result.h"

namespace cordon::audit {

// Of the threads that come while a batch is being written, one writes for all: the
// lock among processes and the system calls are paid once a batch. What was only queued
// is written with whatever comes next.
// Thread safety: everything may run concurrently; one thread awaits an entry.
class Combiner {
 public:
  // A record in the queue, until it was awaited.
  class Entry;

  explicit Combiner(Writer& writer) : writer_(writer) {}
  // The record's number; the errors of Writer::Write.
  Result<std::uint64_t> Append(const Record& record);
  // Only queues it, in `entry`, which must be awaited before it goes, once.
  // Errors: as Append's; there is nothing to await then.
  Status Queue(Entry& entry, const Record& record);
  // The same as Append gives.
  Result<std::uint64_t> Await(Entry& entry);

 private:
  enum class Role { kLeads, kFollows };
  // Of one that is queued and awaited, or done.
  Result<std::uint64_t> Finish(Entry& entry, Role role);
  void Lead(Entry& self);
  bool IsAnyAwaited() const;
  Status WriteBatch();

  Writer& writer_;
  std::mutex mutex_;
  std::vector<Entry*> queue_;
  bool leading_ = false;
  // The leader's own.
  std::vector<Entry*> taken_;
  std::vector<Submission*> batch_;
};

class Combiner::Entry {
 private:
  friend class Combiner;
  enum Progress : int { kQueued, kLeads, kDone };

  Status Begin(const Record& record);
  Progress Wait();
  void Tell(Progress progress);
  bool done() const { return progress_.load() == kDone; }

  Submission submission_;
  std::optional<Error> error_;
  bool awaited_ = false;  // under the combiner's mutex
  std::atomic<Progress> progress_ = kQueued;
  std::mutex mutex_;
  std::condition_variable told_;
};

}  // namespace cordon::audit
