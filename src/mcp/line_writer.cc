#include "mcp/line_writer.h"

#include "base/brief_lock.h"

namespace cordon::mcp {
namespace {

constexpr std::size_t kMaxWaiting = std::size_t{4} << 20;
// So much is worth a write: the reader can begin.
constexpr std::size_t kMaxHeld = std::size_t{32} << 10;
constexpr std::size_t kKept = std::size_t{1} << 20;

thread_local const LineWriter* holding_for = nullptr;

}  // namespace

bool LineWriter::Add(std::unique_lock<std::mutex>& lock, std::string_view line) {
  changed_.wait(lock, [&] { return broken_ || waiting_.size() < kMaxWaiting; });
  if (broken_) return false;
  waiting_ += line;
  waiting_ += '\n';
  return true;
}

void LineWriter::WriteOut(std::unique_lock<std::mutex>& lock) {
  if (writing_ || waiting_.empty()) return;  // whoever writes takes it along
  writing_ = true;
  while (!waiting_.empty() && !broken_) {
    going_.clear();
    if (going_.capacity() > kKept) going_ = std::string();
    going_.swap(waiting_);
    lock.unlock();
    changed_.notify_all();
    const bool written = stream_.Write(going_).has_value();
    lock.lock();
    if (!written) broken_ = true;
  }
  if (going_.capacity() > kKept) going_ = std::string();
  writing_ = false;
  changed_.notify_all();
}

void LineWriter::Write(std::string_view line) {
  std::unique_lock lock(mutex_);
  if (Add(lock, line)) WriteOut(lock);
}

void LineWriter::Answer(std::string_view line) {
  std::unique_lock lock = LockBriefly(mutex_);
  if (!Add(lock, line)) return;
  if (holding_for != this || waiting_.size() >= kMaxHeld) WriteOut(lock);
}

LineWriter::Holding::Holding(LineWriter& writer) : writer_(writer) { holding_for = &writer; }

LineWriter::Holding::~Holding() {
  holding_for = nullptr;
  writer_.Flush();
}

void LineWriter::Flush() {
  std::unique_lock lock(mutex_);
  if (!broken_) WriteOut(lock);
}

bool LineWriter::broken() const {
  const std::lock_guard lock(mutex_);
  return broken_;
}

}  // namespace cordon::mcp
