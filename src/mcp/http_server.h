// A server on Streamable HTTP, both eras, on one endpoint.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "auth/access.h"
#include "cordon/result.h"
#include "mcp/hub.h"
#include "mcp/service.h"
#include "net/http_server.h"
#include "net/worker_pool.h"

namespace cordon::mcp {

struct HttpOptions {
  net::HttpAddress address;
  std::string endpoint = "/mcp";
  // "http://localhost:6274"; requests without an Origin are accepted, too. Loopback
  // origins are accepted when `address` is loopback.
  std::vector<std::string> origins = {};
  // Names by which clients call us, besides loopback ones and our own address.
  std::vector<std::string> hosts = {};
  std::size_t sessions = 256;  // of the handshake era; the longest unused goes
  std::chrono::seconds session_idle{3600};
  std::size_t replay = 256;  // events kept for a stream that is resumed, and 1 MiB at most
  std::chrono::milliseconds pulse{15'000};  // between signs of life on streams
  net::WorkerPool::Limits work = {};        // requests at a time; more: 503
  net::HttpLimits limits = {};
};

// Checks Host, Origin and access before anything is parsed, in this order: 403, 403, 401.
// Scopes: the service refuses by Principal::MayUse and InsufficientScope, which is told as
// 403 with WWW-Authenticate.
class HttpServer {
 public:
  // `service`, `hub` outlive it.
  static Result<std::unique_ptr<HttpServer>> Start(Service& service, Hub& hub,
                                                   std::shared_ptr<const auth::Access> access,
                                                   const HttpOptions& options);
  virtual ~HttpServer() = default;
  virtual std::string url() const = 0;  // "http://127.0.0.1:41234/mcp"
};

}  // namespace cordon::mcp
