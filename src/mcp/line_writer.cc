#include "mcp/line_writer.h"

namespace cordon::mcp {
namespace {

constexpr std::size_t kMaxWaiting = std::size_t{4} << 20;
constexpr std::size_t kKept = std::size_t{1} << 20;

}  // namespace

void LineWriter::Write(std::string_view line) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return broken_ || waiting_.size() < kMaxWaiting; });
  if (broken_) return;
  waiting_ += line;
  waiting_ += '\n';
  if (writing_) return;  // whoever writes takes it along
  writing_ = true;
  std::string bytes;
  while (!waiting_.empty() && !broken_) {
    bytes.clear();
    bytes.swap(waiting_);
    lock.unlock();
    changed_.notify_all();
    const bool written = stream_.Write(bytes).has_value();
    lock.lock();
    if (!written) broken_ = true;
  }
  if (bytes.capacity() <= kKept && waiting_.capacity() < bytes.capacity()) {
    bytes.clear();
    waiting_.swap(bytes);  // its room is used again
  }
  writing_ = false;
  changed_.notify_all();
}

bool LineWriter::broken() const {
  const std::lock_guard lock(mutex_);
  return broken_;
}

}  // namespace cordon::mcp
