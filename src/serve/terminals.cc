#include "serve/terminals.h"

#include <algorithm>
#include <stop_token>
#include <utility>

namespace cordon::serve {
namespace {

constexpr std::chrono::minutes kUnwatched{5};
constexpr std::chrono::seconds kSweep{10};

}  // namespace

Terminals::Terminals() {
  sweeper_ = std::jthread([this](const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (!stop.stop_requested()) {
      changed_.wait_for(lock, stop, kSweep, [] { return false; });
      lock.unlock();
      Sweep();
      lock.lock();
    }
  });
}

Terminals::~Terminals() {
  sweeper_.request_stop();
  if (sweeper_.joinable()) sweeper_.join();
}

template <typename Gone>
bool Terminals::Drop(Gone gone) {
  std::list<Entry> dropped;  // declared first: they end without the lock
  const std::lock_guard lock(mutex_);
  // Killed here and not by their end: whoever waits for one to read holds it.
  for (auto one = entries_.begin(); one != entries_.end();) {
    const auto next = std::next(one);
    if (gone(*one)) {
      one->terminal->Kill();
      dropped.splice(dropped.end(), entries_, one);
    }
    one = next;
  }
  return !dropped.empty();
}

void Terminals::Sweep() {
  Drop([](const Entry& one) { return one.terminal->unwatched() > kUnwatched; });
}

Status Terminals::Add(const SandboxId& sandbox, std::shared_ptr<Terminal> terminal) {
  const std::lock_guard lock(mutex_);
  const auto refused = [](std::string detail) {
    Error error;
    error.code = ErrorCode::kLimitExceeded;
    error.detail = std::move(detail);
    return error;
  };
  if (closed_) return refused("the server is ending");
  const auto count = std::count_if(entries_.begin(), entries_.end(),
                                   [&](const Entry& one) { return one.sandbox == sandbox; });
  if (static_cast<std::size_t>(count) >= kMostInOne) {
    return refused("this sandbox has too many terminals");
  }
  entries_.push_back({sandbox, std::move(terminal)});
  return {};
}

std::shared_ptr<Terminal> Terminals::Find(const SandboxId& sandbox, std::string_view id) const {
  const std::lock_guard lock(mutex_);
  for (const Entry& one : entries_) {
    if (one.sandbox == sandbox && one.terminal->id() == id) return one.terminal;
  }
  return nullptr;
}

std::vector<std::shared_ptr<Terminal>> Terminals::List(const SandboxId& sandbox) const {
  const std::lock_guard lock(mutex_);
  std::vector<std::shared_ptr<Terminal>> all;
  for (const Entry& one : entries_) {
    if (one.sandbox == sandbox) all.push_back(one.terminal);
  }
  return all;
}

bool Terminals::Remove(const SandboxId& sandbox, std::string_view id) {
  return Drop([&](const Entry& one) { return one.sandbox == sandbox && one.terminal->id() == id; });
}

void Terminals::Close() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  Drop([](const Entry&) { return true; });
}

void Terminals::Forget(const SandboxId& sandbox) {
  Drop([&](const Entry& one) { return one.sandbox == sandbox; });
}

}  // namespace cordon::serve
