// The stateless era over HTTP: one POST, one answer.
#pragma once

#include <memory>
#include <optional>

#include "mcp/client.h"
#include "mcp/http_gate.h"
#include "mcp/http_stream.h"
#include "mcp/message.h"
#include "mcp/stateless.h"
#include "net/http_server.h"
#include "net/worker_pool.h"

namespace cordon::mcp {

// Thread safety: may run concurrently.
class HttpStateless {
 public:
  // All outlive it.
  HttpStateless(Service& service, Hub& hub, std::shared_ptr<Tasks> tasks, const HttpGate& gate,
                net::WorkerPool& pool, HttpStreams& streams);

  // Whether a POST speaks this era: by its message or by its headers.
  static bool Speaks(const net::HttpFields& fields, const Message& message);

  void Post(const net::HttpFields& fields, Message message, const Principal& principal,
            const std::shared_ptr<net::HttpReply>& reply);
  // Before the connections go.
  void EndListening() { stateless_.EndListening(); }

 private:
  void Ask(const net::HttpFields& fields, Request request, const Principal& principal,
           const std::shared_ptr<net::HttpReply>& reply);
  std::optional<RpcError> CheckParameters(const net::HttpFields& fields,
                                          const Request& request) const;

  Service& service_;
  const HttpGate& gate_;
  net::WorkerPool& pool_;
  HttpStreams& streams_;
  Stateless stateless_;
};

}  // namespace cordon::mcp
