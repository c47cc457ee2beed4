#include "mcp/running.h"

#include <utility>
#include <vector>

#include "base/brief_lock.h"

namespace cordon::mcp {

std::optional<std::stop_source> Running::Begin(const Id& id) {
  const auto lock = LockBriefly(mutex_);
  const auto [place, added] = requests_.try_emplace(id);
  if (!added) return std::nullopt;
  return place->second;
}

void Running::End(const Id& id) {
  const auto lock = LockBriefly(mutex_);
  requests_.erase(id);
}

void Running::Cancel(const Id& id) {
  std::optional<std::stop_source> stop;
  {
    const std::lock_guard lock(mutex_);
    const auto found = requests_.find(id);
    if (found != requests_.end()) stop = found->second;
  }
  // Callbacks run here, and may end the request.
  if (stop) stop->request_stop();
}

void Running::CancelAll() {
  std::vector<std::stop_source> all;
  {
    const std::lock_guard lock(mutex_);
    all.reserve(requests_.size());
    for (const auto& [id, stop] : requests_) all.push_back(stop);
  }
  for (std::stop_source& stop : all) stop.request_stop();
}

std::optional<Id> CancelledId(const Notification& notification) {
  if (notification.method != "notifications/cancelled") return std::nullopt;
  const boost::json::value* const id = notification.params.if_contains("requestId");
  return id == nullptr ? std::nullopt : Id::Of(*id);
}

}  // namespace cordon::mcp
