#include "audit/combiner.h"

#include <atomic>
#include <condition_variable>
#include <exception>
#include <optional>
#include <thread>
#include <utility>

#include "audit/failure.h"
#include "audit/line.h"
#include "base/brief_lock.h"

namespace cordon::audit {
namespace {

constexpr std::size_t kKeptBody = 64u << 10;
// What the log itself adds to a body, with room to spare.
constexpr std::size_t kMaxBody = kMaxLine - 512;

constexpr int kMostRounds = 16;
constexpr int kLooks = 100;
constexpr int kYields = 4;

enum Progress : int { kQueued, kLeads, kDone };

Error TooLarge() {
  Error error;
  error.detail = "a record is longer than 1 MiB";
  return CannotWrite(error);
}

}  // namespace

class Combiner::Waiting {
 public:
  Submission submission;
  std::optional<Error> error;

  void Begin() {
    error.reset();
    progress_.store(kQueued, std::memory_order_relaxed);
  }

  Progress Wait() {
    // A batch takes a few microseconds, and to sleep and wake takes as many.
    for (int i = 0; i < kLooks + kYields && progress_.load() == kQueued; ++i) {
      if (i >= kLooks) std::this_thread::yield();
    }
    // Also when it is known already: whoever told may not be through with this object.
    std::unique_lock lock(mutex_);
    told_.wait(lock, [this] { return progress_.load() != kQueued; });
    return progress_.load();
  }

  void Tell(Progress progress) {
    const std::lock_guard lock(mutex_);
    progress_.store(progress);
    told_.notify_one();
  }

 private:
  std::atomic<Progress> progress_ = kQueued;
  std::mutex mutex_;
  std::condition_variable told_;
};

Result<std::uint64_t> Combiner::Append(const Record& record) {
  thread_local Waiting self;  // keeps its memory
  std::string& body = self.submission.body;
  body.clear();
  AppendBody(body, record);
  if (body.size() > kMaxBody) return TooLarge();
  self.Begin();

  bool leads = false;
  {
    const auto lock = LockBriefly(mutex_);
    queue_.push_back(&self);
    leads = !std::exchange(leading_, true);
  }
  if (leads || self.Wait() == kLeads) Lead(self);
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
      if (waiting != &self) waiting->Tell(kDone);
    }
    taken_.clear();
  }
  const std::lock_guard lock(mutex_);
  if (queue_.empty()) {
    leading_ = false;
    return;
  }
  queue_.front()->Tell(kLeads);
}

}  // namespace cordon::audit
