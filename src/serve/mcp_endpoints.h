// An MCP endpoint for each sandbox that is spoken to that way.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "mcp/http_endpoint.h"
#include "mcp/hub.h"
#include "mcp/service.h"
#include "provision/sandboxes.h"
#include "serve/workplaces.h"

namespace cordon::serve {

// One that is spoken to.
struct McpEndpoint {
  mcp::Hub hub;
  std::unique_ptr<mcp::Service> service;
  std::unique_ptr<mcp::HttpEndpoint> http;
};

// Thread safety: every method may run concurrently.
class McpEndpoints {
 public:
  McpEndpoints(std::shared_ptr<Workplaces> workplaces, std::string version)
      : workplaces_(std::move(workplaces)), version_(std::move(version)) {}

  // Errors: those of Workplaces; kLimitExceeded when too many are open.
  Result<std::shared_ptr<McpEndpoint>> Of(const provision::Sandboxes::Lease& lease);
  // The sandbox is gone.
  void Forget(const SandboxId& id);
  // All end; who listens is told.
  void Close();

 private:
  const std::shared_ptr<Workplaces> workplaces_;
  const std::string version_;
  std::mutex mutex_;
  std::map<SandboxId, std::shared_ptr<McpEndpoint>> endpoints_;
};

}  // namespace cordon::serve
