// The HTTP API: routes, the gate before them, and the threads they run in.
#pragma once

#include <memory>
#include <string>

#include "cordon/result.h"
#include "net/http_server.h"
#include "net/worker_pool.h"
#include "serve/context.h"

namespace cordon::serve {

struct ApiOptions {
  net::HttpAddress address;
  net::HttpLimits limits = {};
  net::WorkerPool::Limits work = {};  // requests at a time; more: 503
  std::string version;
};

// Guarantees: nothing but the public routes is reached without a token, and nothing of one
//   user's by another's; whatever a handler does, its client gets one answer.
class Api {
 public:
  // Listens when it returns. Errors: those of net::HttpServer.
  static Result<std::unique_ptr<Api>> Start(const Context& context, const ApiOptions& options);
  // Ends what streams, gives answers a moment to be sent, waits for the rest.
  virtual ~Api() = default;
  virtual std::string url() const = 0;
};

}  // namespace cordon::serve
