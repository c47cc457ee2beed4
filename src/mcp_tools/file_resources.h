// Files as resources: reading them, and hearing of changes.
#pragma once

#include <boost/json/array.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string_view>

#include "guard/guard.h"
#include "mcp/exchange.h"
#include "mcp/hub.h"
#include "mcp/service.h"
#include "mcp_tools/memory_budget.h"
#include "platform/watcher.h"

namespace cordon::mcp_tools {

// The largest file that is told as a resource.
inline constexpr std::uint64_t kMaxResource = 16u << 20;
inline constexpr std::size_t kMostWatched = 256;

// The content of a file: text if it is UTF-8, else a blob.
// `budget`: for the time until the answer is ready to be sent.
// Errors: ResourceNotFound for what is not there, no file, or not for this client, with
//   what a tool would tell of it; kInvalidParams for what is too large, and what is no URI
//   of a file; kInternalError when too many large ones are read at a time.
mcp::Answered<boost::json::array> ReadFileResource(guard::Guard& guard, mcp::Exchange& exchange,
                                                   MemoryBudget& budget, std::string_view uri);

// Thread safety: every method may run concurrently.
class Subscriptions {
 public:
  // `hub` must outlive it, and every lease.
  explicit Subscriptions(mcp::Hub& hub) : hub_(hub) {}

  // Errors: as ReadFileResource's; kInternalError when nothing more can be watched.
  mcp::Answered<mcp::Service::Lease> Subscribe(guard::Guard& guard, mcp::Exchange& exchange,
                                               std::string_view uri);

 private:
  Result<std::shared_ptr<platform::Watcher>> TheWatcher();

  mcp::Hub& hub_;
  std::mutex mutex_;
  std::shared_ptr<platform::Watcher> watcher_;  // started with the first
};

}  // namespace cordon::mcp_tools
