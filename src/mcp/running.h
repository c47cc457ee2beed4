// The requests of one client that are being answered.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <unordered_map>

#include "mcp/message.h"

namespace cordon::mcp {

// Thread safety: everything may run concurrently.
class Running {
 public:
  // Nothing when a request of this id runs already.
  std::optional<std::stop_source> Begin(const Id& id);
  void End(const Id& id);
  // What is not running is ignored.
  void Cancel(const Id& id);
  void CancelAll();

 private:
  std::mutex mutex_;
  struct HashOf {
    std::size_t operator()(const Id& id) const { return id.Hash(); }
  };
  std::unordered_map<Id, std::stop_source, HashOf> requests_;
};

// The request that a `notifications/cancelled` names.
std::optional<Id> CancelledId(const Notification& notification);

}  // namespace cordon::mcp
