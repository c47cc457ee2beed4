// The protocol on Streamable HTTP, both eras, for who has a server of their own to put it in.
#pragma once

#include <memory>
#include <optional>

#include "auth/access.h"
#include "mcp/http_server.h"
#include "mcp/hub.h"
#include "mcp/service.h"
#include "net/http_server.h"

namespace cordon::mcp {

// Ends its streams and waits for its requests when it goes, so not in one of their threads.
// Thread safety: Check and Handle may run concurrently.
class HttpEndpoint {
 public:
  // `service`, `hub` outlive it. Of `options`, limits and where to listen are the server's.
  static std::unique_ptr<HttpEndpoint> Make(Service& service, Hub& hub,
                                            std::shared_ptr<const auth::Access> access,
                                            HttpOptions options);
  virtual ~HttpEndpoint() = default;

  // As net::HttpGate: Host, Origin, access, in this order; then the badge is a Principal.
  virtual std::optional<net::HttpResponse> Check(net::HttpRequest& request) const = 0;
  // For a request whose badge is a Principal, whoever has put it there. Does not wait.
  virtual void Handle(net::HttpRequest request, std::shared_ptr<net::HttpReply> reply) = 0;
  // Who listens is told the end. Once.
  virtual void EndListening() = 0;
};

}  // namespace cordon::mcp
