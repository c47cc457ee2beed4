// The handshake era over HTTP: sessions, their streams, and their end.
#pragma once

#include <memory>
#include <string_view>

#include "mcp/client.h"
#include "mcp/http_gate.h"
#include "mcp/http_sessions.h"
#include "mcp/http_stream.h"
#include "mcp/job.h"
#include "mcp/message.h"
#include "net/http_server.h"
#include "net/worker_pool.h"

namespace cordon::mcp {

// A connection that ends cancels nothing here: the client may come back for the rest.
// Thread safety: may run concurrently.
class HttpHandshake {
 public:
  // All outlive it.
  HttpHandshake(HttpSessions& sessions, const HttpGate& gate, net::WorkerPool& pool,
                HttpStreams& streams);

  // Whether the body may be an array: only where 2025-03-26 was agreed on.
  bool MayBatch(const net::HttpFields& fields, const Principal& principal);

  void Post(const net::HttpFields& fields, Message message, const Principal& principal,
            const std::shared_ptr<net::HttpReply>& reply);
  void PostBatch(const net::HttpFields& fields, std::vector<Message> messages,
                 const Principal& principal, const std::shared_ptr<net::HttpReply>& reply);
  // A stream for what belongs to no request, or one that was lost.
  void Get(const net::HttpFields& fields, const Principal& principal,
           const std::shared_ptr<net::HttpReply>& reply);
  void Delete(const net::HttpFields& fields, const Principal& principal,
              const std::shared_ptr<net::HttpReply>& reply);

 private:
  // The session that the headers name; null, and the client has been told why.
  std::shared_ptr<HttpSession> SessionOf(const net::HttpFields& fields, const Principal& principal,
                                         const Message* message, net::HttpReply& reply);
  void Initialize(Request request, const Principal& principal,
                  const std::shared_ptr<net::HttpReply>& reply);
  void Submit(const Job& job, HttpStream& stream);

  HttpSessions& sessions_;
  const HttpGate& gate_;
  net::WorkerPool& pool_;
  HttpStreams& streams_;
};

}  // namespace cordon::mcp
