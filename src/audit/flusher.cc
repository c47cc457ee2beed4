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
  // Not left to the other thread: to be woken takes it nearly as long as this. What fails stays
  // in the stage, for the next writer.
  if (dirty_.load()) static_cast<void>(FlushThrough(writer_.LastSeq()));
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
    if (changed_.wait_for(lock, flush_after_, [this] { return stop_; })) return;
    // Before looking at what was written: whatever comes later makes it dirty again.
    if (!dirty_.exchange(false)) {
      ++idle;
      continue;
    }
    idle = 0;
    lock.unlock();
    static_cast<void>(FlushThrough(writer_.LastSeq()));
    lock.lock();
    if (failed_) return;  // every Append fails from now on
  }
}

Status Flusher::Fail(const Error& error) {
  const std::lock_guard lock(mutex_);
  if (!failed_) failed_ = CannotWrite(error);
  return *failed_;
}

// Called with flushing_ set by this thread.
Status Flusher::FlushOnce() {
  const Result<InFile> in_file = writer_.BringToFile();
  if (!in_file) {
    if (in_file.error().os_errno == 0) return Fail(in_file.error());
    return CannotWrite(in_file.error());  // a disk that is full today is not full tomorrow
  }
  const Status synced = platform::SyncData(in_file->file->get());
  if (!synced) {
    writer_.Refuse(synced.error());
    return Fail(synced.error());
  }
  // The head may say so later just as well: the records themselves are safe.
  static_cast<void>(writer_.SetDurable(in_file->end));
  const std::lock_guard lock(mutex_);
  flushed_ = std::max(flushed_, in_file->end.seq);
  return {};
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
    Status flushed = FlushOnce();
    lock.lock();
    flushing_ = false;
    changed_.notify_all();
    if (flushed) continue;
    lock.unlock();
    Touch();  // it is tried again
    return flushed;
  }
  return {};
}

}  // namespace cordon::audit
