#include "mcp/line_writer.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/brief_lock.h"

namespace cordon::mcp {
namespace {

constexpr std::size_t kMaxWaiting = std::size_t{4} << 20;
// So much is worth a write: the reader can begin.
constexpr std::size_t kMaxHeld = std::size_t{64} << 10;
constexpr std::size_t kKept = std::size_t{128} << 10;

thread_local LineWriter::Holding* of_this_thread = nullptr;

void Empty(std::string& text) {
  text.clear();
  if (text.capacity() > kKept) text = std::string();
}

}  // namespace

void LineWriter::Lines::Add(std::string_view line, Settle settle) {
  if (settle) unsettled.push_back({text.size(), line.size(), std::move(settle)});
  text += line;
  text += '\n';
}

void LineWriter::Lines::SettleAll() {
  std::size_t added = 0;  // by what is sent instead, so far; wraps around where it is shorter
  for (Unsettled& one : unsettled) {
    const std::optional<std::string> instead = one.settle();
    if (!instead) continue;
    text.replace(one.begin + added, one.size, *instead);
    added += instead->size() - one.size;
  }
  unsettled.clear();
}

LineWriter::Holding* LineWriter::OwnHolding() const {
  return of_this_thread != nullptr && &of_this_thread->writer_ == this ? of_this_thread : nullptr;
}

void LineWriter::Send(std::string& text) {
  std::unique_lock lock = LockBriefly(mutex_);
  changed_.wait(lock, [&] { return broken_ || waiting_.size() < kMaxWaiting; });
  if (broken_) return;
  if (waiting_.empty()) {
    waiting_.swap(text);
  } else {
    waiting_ += text;
  }
  WriteOut(lock);
}

void LineWriter::WriteOut(std::unique_lock<std::mutex>& lock) {
  if (writing_ || waiting_.empty()) return;  // whoever writes takes it along
  writing_ = true;
  while (!waiting_.empty() && !broken_) {
    Empty(going_);
    going_.swap(waiting_);
    lock.unlock();
    changed_.notify_all();
    const bool written = stream_.Write(going_).has_value();
    lock.lock();
    if (!written) broken_ = true;
  }
  Empty(going_);
  writing_ = false;
  changed_.notify_all();
}

void LineWriter::Deliver(Lines& going) {
  if (going.text.empty()) return;
  going.SettleAll();
  Send(going.text);
  Empty(going.text);
}

void LineWriter::Deliver(Holding& holding) {
  {
    const std::lock_guard lock(holding.mutex_);
    std::swap(holding.room_.held, holding.room_.going);
  }
  Deliver(holding.room_.going);
}

void LineWriter::Write(std::string_view line) {
  if (Holding* const own = OwnHolding()) Deliver(*own);  // came before
  std::string text;
  text.reserve(line.size() + 1);
  text += line;
  text += '\n';
  Send(text);
}

void LineWriter::Answer(std::string_view line, Settle settle) {
  Holding* const own = OwnHolding();
  if (own == nullptr) {
    Lines alone;
    alone.Add(line, std::move(settle));
    alone.SettleAll();
    return Send(alone.text);
  }
  bool enough = false;
  {
    const std::lock_guard lock(own->mutex_);
    own->room_.held.Add(line, std::move(settle));
    enough = own->room_.held.text.size() >= kMaxHeld;
  }
  if (enough) Deliver(*own);
}

LineWriter::Holding::Holding(LineWriter& writer, Room& room) : writer_(writer), room_(room) {
  of_this_thread = this;
  const std::lock_guard lock(writer.mutex_);
  writer.holdings_.push_back(this);
}

LineWriter::Holding::~Holding() {
  of_this_thread = nullptr;
  {
    const std::lock_guard lock(writer_.mutex_);
    std::erase(writer_.holdings_, this);
  }
  writer_.Deliver(*this);
}

void LineWriter::Flush() {
  const std::unique_lock flushing(flush_mutex_, std::try_to_lock);
  std::vector<Lines> own;  // of who comes while somebody else is at it
  std::vector<Lines>& all = flushing ? flushed_ : own;
  {
    const std::lock_guard lock(mutex_);
    if (all.size() < holdings_.size()) all.resize(holdings_.size());
    for (std::size_t i = 0; i < holdings_.size(); ++i) {
      const std::lock_guard held(holdings_[i]->mutex_);
      std::swap(holdings_[i]->room_.held, all[i]);
    }
  }
  for (Lines& lines : all) Deliver(lines);
}

bool LineWriter::broken() const {
  const std::lock_guard lock(mutex_);
  return broken_;
}

}  // namespace cordon::mcp
