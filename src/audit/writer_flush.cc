// What the writer does for the flusher, and how the two keep out of each other's way.
#include <chrono>
#include <thread>

#include "audit/failure.h"
#include "audit/writer.h"
#include "base/try.h"
#include "platform/file_stat.h"

namespace cordon::audit {
namespace {

constexpr int kMostTries = 20;
constexpr std::chrono::microseconds kBetweenTries{50};

}  // namespace

// Only damage must stop a batch: a disk that is full does not until the stage is, too, and
// whoever asked comes to see the error itself.
Status Writer::Serve() {
  if (drain_wanted_.load()) {
    Status drained = Drain();
    if (!drained && !drained.error().os_errno) return drained;
    if (drained) {
      PublishInFile();
      drain_wanted_.store(false);
    }
  }
  return durable_wanted_.load() ? SayDurable() : Status();
}

void Writer::PublishInFile() {
  const std::lock_guard guard(ends_mutex_);
  in_file_ = {head_.image().current, file_};
}

Status Writer::CheckNames() const {
  TRY(head_.CheckName(files_));
  TRY_ASSIGN(const platform::FileStat mine, platform::StatDescriptor(file_->get()));
  const auto named = platform::StatEntry(files_.directory(), files_.name().c_str());
  if (!named || named->identity != mine.identity) {
    return Damaged(files_.name() + " was taken away");
  }
  return {};
}

// With both locks held, and Prepare done.
Status Writer::SayDurable() {
  HeadState end;
  {
    const std::lock_guard guard(ends_mutex_);
    if (!durable_wanted_.exchange(false)) return {};
    end = durable_;
  }
  TRY(CheckNames());
  if (!IsAfter(end, head_.image().durable)) return {};
  TRY(head_.Begin(UnderWay::kFlush));
  TRY(head_.Set(Which::kDurable, end));
  return head_.Finish();
}

// Whoever writes meanwhile does on the way what is wanted: one more that waits for the lock
// would make each of their records pay for waking it. Not owned when they did.
std::unique_lock<std::mutex> Writer::LockUnlessServed(const std::atomic<bool>& wanted) {
  std::unique_lock guard(mutex_, std::try_to_lock);
  for (int tries = 0; !guard && tries < kMostTries; ++tries) {
    std::this_thread::sleep_for(kBetweenTries);
    if (!wanted.load()) return guard;
    static_cast<void>(guard.try_lock());
  }
  if (!guard) guard.lock();
  return guard;
}

Result<InFile> Writer::BringToFile() {
  drain_wanted_.store(true);
  if (const auto guard = LockUnlessServed(drain_wanted_)) {
    drain_wanted_.store(false);  // also if it fails: they need not try, too
    if (refused_) return *refused_;
    TRY_ASSIGN(const platform::FileLock lock, head_.Lock());
    TRY(Latch(Prepare()));
    TRY(Latch(Drain()));
    PublishInFile();
  }
  const std::lock_guard guard(ends_mutex_);
  return in_file_;
}

Status Writer::SetDurable(const HeadState& end) {
  {
    const std::lock_guard guard(ends_mutex_);
    durable_ = end;
    durable_wanted_.store(true);
  }
  const auto guard = LockUnlessServed(durable_wanted_);
  if (!guard) return {};
  if (refused_) return *refused_;
  TRY_ASSIGN(const platform::FileLock lock, head_.Lock());
  TRY(Latch(Prepare()));
  return Latch(SayDurable());
}

}  // namespace cordon::audit
