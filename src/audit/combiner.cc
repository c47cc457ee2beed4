#include "audit/combiner.h"

#include <algorithm>
#include <exception>
#include <thread>
#include <utility>

#include "audit/failure.h"
#include "audit/line.h"
#include "base/brief_lock.h"
#include "base/try.h"

namespace cordon::audit {
namespace {

constexpr std::size_t kKeptBody = 64u << 10;
// What the log itself adds to a body, with room to spare.
constexpr std::size_t kMaxBody = kMaxLine - 512;
constexpr std::size_t kUsualBody = 384;

constexpr int kMostRounds = 16;
constexpr int kLooks = 100;
constexpr int kYields = 4;

Error TooLarge() {
  Error error;
  error.detail = "a record is longer than 1 MiB";
  return CannotWrite(error);
}

}  // namespace

Status Combiner::Entry::Begin(const Record& record) {
  std::string& body = submission_.body;
  body.clear();
  body.reserve(kUsualBody);
  AppendBody(body, record);
  if (body.size() > kMaxBody) return TooLarge();
  error_.reset();
  progress_.store(kQueued, std::memory_order_relaxed);
  return {};
}

Combiner::Entry::Progress Combiner::Entry::Wait() {
  // A batch takes a few microseconds, and to sleep and wake takes as many.
  for (int i = 0; i < kLooks + kYields && progress_.load() == kQueued; ++i) {
    if (i >= kLooks) std::this_thread::yield();
  }
  // Also when it is known already: whoever told may not be through with this object.
  std::unique_lock lock(mutex_);
  told_.wait(lock, [this] { return progress_.load() != kQueued; });
  return progress_.load();
}

void Combiner::Entry::Tell(Progress progress) {
  const std::lock_guard lock(mutex_);
  progress_.store(progress);
  told_.notify_one();
}

Result<std::uint64_t> Combiner::Append(const Record& record) {
  thread_local Entry self;  // keeps its memory
  TRY(self.Begin(record));
  Role role = Role::kFollows;
  {
    const auto lock = LockBriefly(mutex_);
    self.awaited_ = true;
    queue_.push_back(&self);
    if (!std::exchange(leading_, true)) role = Role::kLeads;
  }
  auto seq = Finish(self, role);
  std::string& body = self.submission_.body;
  if (body.capacity() > kKeptBody) std::string().swap(body);
  return seq;
}

Status Combiner::Queue(Entry& entry, const Record& record) {
  TRY(entry.Begin(record));
  const auto lock = LockBriefly(mutex_);
  queue_.push_back(&entry);
  return {};
}

Result<std::uint64_t> Combiner::Await(Entry& entry) {
  Role role = Role::kFollows;
  if (!entry.done()) {
    const auto lock = LockBriefly(mutex_);
    entry.awaited_ = true;
    // While nobody leads, what is not done is in the queue.
    if (!entry.done() && !std::exchange(leading_, true)) role = Role::kLeads;
  }
  return Finish(entry, role);
}

Result<std::uint64_t> Combiner::Finish(Entry& entry, Role role) {
  if (role == Role::kLeads || entry.Wait() == Entry::kLeads) Lead(entry);
  if (entry.error_) return *std::move(entry.error_);
  return entry.submission_.seq;
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

bool Combiner::IsAnyAwaited() const {
  return std::any_of(queue_.begin(), queue_.end(), [](const Entry* one) { return one->awaited_; });
}

// Leads on while somebody waits: to hand it to one that sleeps, or that has no processor
// just now, would leave the log idle until that one runs. Not for ever, though: its own
// record was written in the first round.
void Combiner::Lead(Entry& self) {
  for (int round = 0; round < kMostRounds; ++round) {
    {
      const std::lock_guard lock(mutex_);
      if (!IsAnyAwaited()) {
        leading_ = false;
        return;
      }
      taken_.swap(queue_);
    }
    batch_.clear();
    for (Entry* const entry : taken_) batch_.push_back(&entry->submission_);
    const Status written = WriteBatch();
    for (Entry* const entry : taken_) {
      if (!written) entry->error_ = written.error();
      if (entry != &self) entry->Tell(Entry::kDone);
    }
    taken_.clear();
  }
  const std::lock_guard lock(mutex_);
  const auto next =
      std::find_if(queue_.begin(), queue_.end(), [](const Entry* one) { return one->awaited_; });
  if (next == queue_.end()) {
    leading_ = false;
  } else {
    (*next)->Tell(Entry::kLeads);
  }
}

}  // namespace cordon::audit
