#include "platform/watcher.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "platform/linux/error_from_errno.h"
#include "platform/unique_fd.h"

namespace cordon::platform {
namespace {

using Clock = std::chrono::steady_clock;

// Told this long after the first of several changes.
constexpr auto kGather = std::chrono::milliseconds(50);
constexpr std::uint32_t kEvents = IN_MODIFY | IN_CLOSE_WRITE | IN_CREATE | IN_DELETE |
                                  IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF;
constexpr std::uint32_t kOfItself = IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT | IN_IGNORED;

struct Entry {
  int watch = -1;  // the kernel's number of the directory
  std::string name;
  std::function<void()> changed;
};

}  // namespace

struct Watcher::State {
  UniqueFd inotify, end;
  std::size_t most = 0;
  std::mutex mutex;
  std::uint64_t last = 0;
  std::map<std::uint64_t, Entry> entries;
  std::map<int, std::size_t> uses;  // of a directory, by the kernel's number
  std::thread thread;               // of the watcher only

  void Run();
  void Drop(std::uint64_t number);
  // Who is to be told of the events in `bytes`.
  void Collect(std::string_view bytes, std::set<std::uint64_t>& due);
  void ReadEvents(std::set<std::uint64_t>& due);
  void Tell(const std::set<std::uint64_t>& due);
};

void Watcher::State::Drop(std::uint64_t number) {
  const std::lock_guard lock(mutex);
  const auto found = entries.find(number);
  if (found == entries.end()) return;
  const int watch = found->second.watch;
  entries.erase(found);
  const auto use = uses.find(watch);
  if (use == uses.end() || --use->second > 0) return;
  uses.erase(use);
  ::inotify_rm_watch(inotify.get(), watch);
}

void Watcher::State::Collect(std::string_view bytes, std::set<std::uint64_t>& due) {
  const std::lock_guard lock(mutex);
  while (bytes.size() >= sizeof(inotify_event)) {
    inotify_event event{};
    std::memcpy(&event, bytes.data(), sizeof event);
    const std::size_t whole = sizeof event + event.len;
    if (whole > bytes.size()) return;
    std::string_view name = bytes.substr(sizeof event, event.len);
    name = name.substr(0, name.find('\0'));
    bytes.remove_prefix(whole);
    for (const auto& [number, entry] : entries) {
      const bool lost = (event.mask & IN_Q_OVERFLOW) != 0;  // it may have been any of them
      if (!lost && entry.watch != event.wd) continue;
      if (lost || (event.mask & kOfItself) != 0 || entry.name == name) due.insert(number);
    }
    if ((event.mask & IN_IGNORED) == 0) continue;
    // The kernel has dropped it: the number may come back for another directory.
    uses.erase(event.wd);
    for (auto& [number, entry] : entries) {
      if (entry.watch == event.wd) entry.watch = -1;
    }
  }
}

void Watcher::State::ReadEvents(std::set<std::uint64_t>& due) {
  alignas(inotify_event) std::array<char, 16 << 10> buffer;
  const ssize_t got = ::read(inotify.get(), buffer.data(), buffer.size());
  if (got > 0) Collect({buffer.data(), static_cast<std::size_t>(got)}, due);
}

void Watcher::State::Tell(const std::set<std::uint64_t>& due) {
  for (const std::uint64_t number : due) {
    std::function<void()> changed;
    {
      const std::lock_guard lock(mutex);
      const auto found = entries.find(number);
      if (found != entries.end()) changed = found->second.changed;
    }
    if (changed) changed();
  }
}

void Watcher::State::Run() {
  std::set<std::uint64_t> due;
  Clock::time_point when;
  while (true) {
    int wait = -1;
    if (!due.empty()) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(when - Clock::now());
      wait = left.count() > 0 ? static_cast<int>(left.count()) : 0;
    }
    std::array<struct pollfd, 2> watched{{{end.get(), POLLIN, 0}, {inotify.get(), POLLIN, 0}}};
    const int ready = ::poll(watched.data(), watched.size(), wait);
    if (watched[0].revents != 0) return;
    if (ready < 0 && errno != EINTR) return;
    const bool first = due.empty();
    if (ready > 0 && watched[1].revents != 0) ReadEvents(due);
    if (first && !due.empty()) when = Clock::now() + kGather;
    if (!due.empty() && Clock::now() >= when) {
      Tell(due);
      due.clear();
    }
  }
}

Result<std::shared_ptr<Watcher>> Watcher::Start(std::size_t most) {
  auto state = std::make_shared<State>();
  state->most = most;
  state->inotify = UniqueFd(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
  if (!state->inotify.valid()) return ErrorFromErrno("inotify_init1", errno);
  state->end = UniqueFd(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!state->end.valid()) return ErrorFromErrno("eventfd", errno);
  std::shared_ptr<Watcher> watcher(new Watcher(state));
  state->thread = std::thread([raw = state.get()] { raw->Run(); });
  return watcher;
}

Watcher::Watcher(std::shared_ptr<State> state) : state_(std::move(state)) {}

Watcher::~Watcher() {
  if (!state_->thread.joinable()) return;
  ::eventfd_write(state_->end.get(), 1);  // cannot fail: the counter is far from full
  state_->thread.join();
}

Result<Watcher::Handle> Watcher::Watch(int directory, std::string name,
                                       std::function<void()> changed) {
  const std::lock_guard lock(state_->mutex);
  if (state_->entries.size() >= state_->most) {
    Error error;
    error.code = ErrorCode::kLimitExceeded;
    error.op = "watch";
    error.detail = "no more than " + std::to_string(state_->most) + " files can be watched";
    return error;
  }
  // Leads to what the descriptor refers to, whatever has its name by now.
  const std::string self = "/proc/self/fd/" + std::to_string(directory);
  const int watch = ::inotify_add_watch(state_->inotify.get(), self.c_str(), kEvents | IN_ONLYDIR);
  if (watch < 0) return ErrorFromErrno("inotify_add_watch", errno);
  const std::uint64_t number = ++state_->last;
  state_->entries.emplace(number, Entry{watch, std::move(name), std::move(changed)});
  ++state_->uses[watch];
  return Handle(state_.get(), [state = std::weak_ptr<State>(state_), number](void*) {
    if (const auto still = state.lock()) still->Drop(number);
  });
}

}  // namespace cordon::platform
