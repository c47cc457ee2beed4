// One client of the handshake era over HTTP.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "mcp/http_gate.h"
#include "mcp/http_outbox.h"
#include "mcp/http_stream.h"
#include "mcp/session.h"
#include "net/http_server.h"

namespace cordon::mcp {

// Thread safety: everything may run concurrently.
class HttpSession {
 public:
  HttpSession(Service& service, Hub& hub, Principal principal, std::string id,
              HttpOutbox::Limits limits, std::shared_ptr<WaitingRoom> room,
              std::shared_ptr<Tasks> tasks);

  const std::string& id() const { return id_; }
  Session& session() { return session_; }
  HttpOutbox& outbox() { return *outbox_; }
  HttpOutbox::Priming priming() const;
  // Nothing more is sent, and what runs is stopped.
  void Close();

 private:
  const std::string id_;
  const std::shared_ptr<HttpOutbox> outbox_;
  Session session_;
};

// The way back for one request of a session. It holds the session, so that one with
// something to do is seen to be in use.
// `announce`: the session's id is told with the answer, because it is new.
enum class Announce { kNo, kYes };
std::shared_ptr<HttpStream> MakeSessionReply(std::shared_ptr<HttpSession> session,
                                             std::shared_ptr<net::HttpReply> reply,
                                             const HttpGate& gate, Announce announce,
                                             std::function<void()> failed = nullptr);

// The way back for `parts` requests that came together, always as a stream.
std::shared_ptr<HttpStream> MakeBatchReply(std::shared_ptr<HttpSession> session,
                                           const std::shared_ptr<net::HttpReply>& reply,
                                           std::size_t parts);

}  // namespace cordon::mcp
