#include "audit/flusher.h"

#include <algorithm>

#include "audit/failure.h"
#include "platform/file_io.h"

namespace cordon::audit {
namespace {

// How often it looks in vain before it sleeps until it is woken.
constexpr int kIdleRounds = 50;

}  // namespace

Flusher::Flusher(Writer& writer, std::chrono::milliseconds flush_after)
    : writer_(writer), flush_after_(flush_after), thread_([this] { Run(); }) {}

Flusher::~Flusher() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Flusher::Touch() {
  if (dirty_.load(std::memory_order_relaxed)) return;
  dirty_.store(true);
  if (!asleep_.load()) return;
  // To wake a thread costs more than a record; it is needed only after a pause.
  const std::lock_guard lock(mutex_);
  changed_.notify_all();
}

void Flusher::Run() {
  std::unique_lock lock(mutex_);
  int idle = 0;
  while (true) {
    if (idle == kIdleRounds) {
      asleep_.store(true);  // before looking again: whoever comes now sees it, or is seen
      changed_.wait(lock, [this] { return dirty_.load() || stop_; });
      asleep_.store(false);
      idle = 0;
    }
    changed_.wait_for(lock, flush_after_, [this] { return stop_; });
    // Before looking at what was written: whatever comes later makes it dirty again.
    if (!dirty_.exchange(false)) {
      if (stop_) return;  // nothing is left
      ++idle;
      continue;
    }
    idle = 0;
    lock.unlock();
    const std::uint64_t seq = writer_.LastWritten().end.seq;
    const Status flushed = FlushThrough(seq);
    lock.lock();
    if (!flushed) return;  // every Append fails from now on
  }
}

// Called with flushing_ set by this thread.
Status Flusher::FlushOnce() {
  const Written written = writer_.LastWritten();
  Status synced = platform::SyncData(written.file->get());
  if (synced) {
    // The head may say so later just as well: the records themselves are safe.
    static_cast<void>(writer_.SetDurable(written.end));
  } else {
    writer_.Refuse(synced.error());
  }
  const std::lock_guard lock(mutex_);
  if (synced) {
    flushed_ = std::max(flushed_, written.end.seq);
  } else if (!failed_) {
    failed_ = CannotWrite(synced.error());
  }
  return synced;
}

Status Flusher::FlushThrough(std::uint64_t seq) {
  std::unique_lock lock(mutex_);
  while (flushed_ < seq) {
    if (failed_) return *failed_;
    if (flushing_) {
      changed_.wait(lock);
      continue;
    }
    flushing_ = true;
    lock.unlock();
    static_cast<void>(FlushOnce());
    lock.lock();
    flushing_ = false;
    changed_.notify_all();
  }
  return {};
}

}  // namespace cordon::audit
