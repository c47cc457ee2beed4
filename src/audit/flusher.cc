#include "audit/flusher.h"

#include <algorithm>

#include "audit/failure.h"
#include "platform/file_io.h"

namespace cordon::audit {

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
  if (dirty_.load(std::memory_order_relaxed) || dirty_.exchange(true)) return;
  {
    const std::lock_guard lock(mutex_);
    dirty_since_ = Clock::now();
  }
  changed_.notify_all();
}

void Flusher::Run() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return dirty_.load() || stop_; });
    changed_.wait_until(lock, dirty_since_ + flush_after_, [this] { return stop_; });
    if (!dirty_.load()) return;  // stopped, and nothing is left
    // Before looking at what was written: whatever comes later makes it dirty again.
    dirty_.store(false);
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
