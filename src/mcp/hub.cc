#include "mcp/hub.h"

#include <map>
#include <mutex>
#include <utility>
#include <vector>

namespace cordon::mcp {
namespace {

// A listener that can be told to stop while another thread is about to call it.
struct Listener {
  explicit Listener(std::function<void(const Change&)> what) : call(std::move(what)) {}
  std::recursive_mutex mutex;
  std::function<void(const Change&)> call;
};

}  // namespace

struct Hub::State {
  std::mutex mutex;
  std::uint64_t last = 0;
  std::map<std::uint64_t, std::shared_ptr<Listener>> listeners;
};

Hub::Hub() : state_(std::make_shared<State>()) {}
Hub::~Hub() = default;

void Hub::Tell(const Change& change) {
  std::vector<std::shared_ptr<Listener>> told;
  {
    const std::lock_guard lock(state_->mutex);
    told.reserve(state_->listeners.size());
    for (const auto& [number, listener] : state_->listeners) told.push_back(listener);
  }
  for (const std::shared_ptr<Listener>& listener : told) {
    const std::lock_guard lock(listener->mutex);
    // A copy: a listener may drop its own handle while it runs.
    if (const auto call = listener->call) call(change);
  }
}

Hub::Handle Hub::Listen(std::function<void(const Change&)> listener) {
  auto entry = std::make_shared<Listener>(std::move(listener));
  std::uint64_t number = 0;
  {
    const std::lock_guard lock(state_->mutex);
    number = ++state_->last;
    state_->listeners.emplace(number, entry);
  }
  const std::weak_ptr<State> weak = state_;
  // Not a pointer to anything: what counts is that the last copy runs this.
  return {static_cast<void*>(entry.get()), [weak, number, entry](void*) {
            if (const std::shared_ptr<State> state = weak.lock()) {
              const std::lock_guard lock(state->mutex);
              state->listeners.erase(number);
            }
            const std::lock_guard lock(entry->mutex);
            entry->call = nullptr;
          }};
}

}  // namespace cordon::mcp
