#include "serve/mcp_endpoints.h"

#include <utility>

#include "auth/access.h"
#include "base/try.h"
#include "mcp_tools/tools_service.h"
#include "tools/menu.h"

namespace cordon::serve {
namespace {

constexpr std::size_t kMostEndpoints = 512;
constexpr std::size_t kSessions = 16;  // of one sandbox
constexpr net::WorkerPool::Limits kWork{16, 64};

}  // namespace

Result<std::shared_ptr<McpEndpoint>> McpEndpoints::Of(const provision::Sandboxes::Lease& lease) {
  const std::lock_guard lock(mutex_);
  const auto found = endpoints_.find(lease.sandbox.id);
  if (found != endpoints_.end()) return found->second;
  if (endpoints_.size() >= kMostEndpoints) {
    Error error;
    error.code = ErrorCode::kLimitExceeded;
    error.detail = "too many sandboxes are spoken to over MCP";
    return error;
  }
  TRY_ASSIGN(guard::Guard::Parts parts, workplaces_->PartsFor(lease));
  auto made = std::make_shared<McpEndpoint>();
  mcp_tools::ServiceOptions service;
  service.version = version_;
  made->service = std::make_unique<mcp_tools::ToolsService>(tools::OwnMenu(), std::move(parts),
                                                            made->hub, service);
  mcp::HttpOptions options;
  options.sessions = kSessions;
  options.work = kWork;
  // Who comes this far has shown a token.
  made->http = mcp::HttpEndpoint::Make(*made->service, made->hub, auth::EverybodyWhoConnects(),
                                       std::move(options));
  endpoints_.emplace(lease.sandbox.id, made);
  return made;
}

void McpEndpoints::Forget(const SandboxId& id) {
  std::shared_ptr<McpEndpoint> gone;  // declared first: it waits for its requests without the lock
  const std::lock_guard lock(mutex_);
  const auto found = endpoints_.find(id);
  if (found == endpoints_.end()) return;
  gone = std::move(found->second);
  endpoints_.erase(found);
}

void McpEndpoints::Close() {
  std::map<SandboxId, std::shared_ptr<McpEndpoint>> gone;
  const std::lock_guard lock(mutex_);
  gone.swap(endpoints_);
}

}  // namespace cordon::serve
