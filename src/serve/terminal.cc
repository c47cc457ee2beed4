#include "serve/terminal.h"

#include <algorithm>
#include <utility>

namespace cordon::serve {

Terminal::Terminal(std::string id, store::Time created, std::unique_ptr<RecordedExec> running)
    : id_(std::move(id)), created_(created), running_(std::move(running)) {
  pump_ = std::jthread([this] { Pump(); });
}

Terminal::~Terminal() {
  running_->exec().Kill();
  if (pump_.joinable()) pump_.join();
}

void Terminal::Pump() {
  while (true) {
    auto piece = running_->exec().Read();
    if (!piece || !*piece) break;
    const std::lock_guard lock(mutex_);
    kept_ += (*piece)->bytes;
    // Twice what is kept before anything is moved, so that it is moved seldom.
    if (kept_.size() > 2 * kKept) {
      const std::size_t surplus = kept_.size() - kKept;
      kept_.erase(0, surplus);
      begin_ += surplus;
    }
    changed_.notify_all();
  }
  auto end = running_->Wait();
  const std::lock_guard lock(mutex_);
  ended_ =
      end ? std::move(*end) : provision::ExecEnd{0, 0, provision::ExecEnd::Why::kSandboxGone, {}};
  over_ = true;
  changed_.notify_all();
}

Terminal::Output Terminal::From(std::uint64_t offset, std::chrono::milliseconds patience) const {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, patience, [&] { return over_ || begin_ + kept_.size() > offset; });
  Output output;
  output.offset = std::clamp(offset, begin_, begin_ + kept_.size());
  output.bytes = kept_.substr(output.offset - begin_);
  output.over = over_;
  return output;
}

std::uint64_t Terminal::end() const {
  const std::lock_guard lock(mutex_);
  return begin_ + kept_.size();
}

std::optional<provision::ExecEnd> Terminal::ended() const {
  const std::lock_guard lock(mutex_);
  return ended_;
}

std::shared_ptr<void> Terminal::Watch() {
  const std::lock_guard lock(mutex_);
  ++watchers_;
  return {this, [](void* self) {
            auto* const terminal = static_cast<Terminal*>(self);
            const std::lock_guard inner(terminal->mutex_);
            --terminal->watchers_;
            terminal->left_ = std::chrono::steady_clock::now();
          }};
}

std::chrono::steady_clock::duration Terminal::unwatched() const {
  const std::lock_guard lock(mutex_);
  if (watchers_ > 0) return {};
  return std::chrono::steady_clock::now() - left_;
}

}  // namespace cordon::serve
