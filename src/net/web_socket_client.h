// The other end of a WebSocket: for a program that asks a server for one.
#pragma once

#include <memory>

#include "cordon/result.h"
#include "net/http_client.h"
#include "net/web_socket.h"

namespace cordon::net {

struct WebSocketAnswer {
  HttpResponse refusal;               // if the server did not agree
  std::shared_ptr<WebSocket> socket;  // null then
};

// Connects, and asks with `call` (a GET without a body). `terms.subprotocol` is not offered.
// Guarantees: what WebSocket does; the socket's own thread ends with its last reference.
// Errors: as HttpClient's.
Result<WebSocketAnswer> OpenWebSocket(const HttpPeer& peer, const HttpCall& call,
                                      const WebSocketTerms& terms,
                                      const HttpClientLimits& limits = {});

}  // namespace cordon::net
