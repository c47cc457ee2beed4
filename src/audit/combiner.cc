#include "audit/combiner.h"

#include <atomic>
#include <exception>
#include <optional>
#include <utility>

#include "audit/failure.h"
#include "audit/line.h"

namespace cordon::audit {
namespace {

constexpr std::size_t kKeptBody = 64u << 10;
// What the log itself adds to a body, with room to spare.
constexpr std::size_t kMaxBody = kMaxLine - 512;

constexpr int kMostRounds = 16;

enum Progress : int { kQueued, kLeads, kDone };

Error TooLarge() {
  Error error;
  error.detail = "a record is longer than 1 MiB";
  return CannotWrite(error);
}

}  // namespace

struct Combiner::Waiting {
  Submission submission;
  std::optional<Error> error;
  std::atomic<int> progress = kQueued;
};

Result<std::uint64_t> Combiner::Append(const Record& record) {
  // One a thread: whoever wakes it may still look at it when Append has returned.
  thread_local Waiting self;
  std::string& body = self.submission.body;
  body.clear();
  AppendBody(body, record);
  if (body.size() > kMaxBody) return TooLarge();
  self.error.reset();
  self.progress.store(kQueued, std::memory_order_relaxed);

  std::unique_lock lock(mutex_);
  queue_.push_back(&self);
  if (leading_) {
    lock.unlock();
    self.progress.wait(kQueued, std::memory_order_acquire);
  } else {
    leading_ = true;
    lock.unlock();
    self.progress.store(kLeads, std::memory_order_relaxed);
  }
  if (self.progress.load(std::memory_order_acquire) == kLeads) Lead(self);
  if (body.capacity() > kKeptBody) std::string().swap(body);
  if (self.error) return *std::move(self.error);
  return self.submission.seq;
}

// Whatever happens, those who wait must be told.
Status Combiner::WriteBatch() {
  try {
    return writer_.Write(batch_);
  } catch (const std::exception& failure) {
    Error error;
    error.detail = failure.what();
    return CannotWrite(error);
  }
}

// Leads on while there is work: to hand it to one that sleeps, or that has no processor
// just now, would leave the log idle until that one runs. Not for ever, though: its own
// record was written in the first round.
void Combiner::Lead(Waiting& self) {
  for (int round = 0; round < kMostRounds; ++round) {
    {
      const std::lock_guard lock(mutex_);
      if (queue_.empty()) {
        leading_ = false;
        return;
      }
      taken_.swap(queue_);
    }
    batch_.clear();
    for (Waiting* const waiting : taken_) batch_.push_back(&waiting->submission);
    const Status written = WriteBatch();
    for (Waiting* const waiting : taken_) {
      if (!written) waiting->error = written.error();
      if (waiting == &self) continue;
      waiting->progress.store(kDone, std::memory_order_release);
      waiting->progress.notify_one();
    }
    taken_.clear();
  }
  const std::lock_guard lock(mutex_);
  if (queue_.empty()) {
    leading_ = false;
    return;
  }
  Waiting* const next = queue_.front();
  next->progress.store(kLeads, std::memory_order_release);
  next->progress.notify_one();
}

}  // namespace cordon::audit
