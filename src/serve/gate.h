// What is found out about a request before its body is received.
#pragma once

#include <memory>
#include <optional>

#include "net/http_server.h"
#include "serve/accounts.h"
#include "serve/router.h"

namespace cordon::serve {

// What the gate leaves as a request's badge.
struct Admitted {
  const Route* route = nullptr;
  std::map<std::string, std::string, std::less<>> parameters;
  Caller caller;
};

// Strangers learn nothing but 401; who has a token learns of 404, 405 and 403, in this order.
// Runs in an I/O thread. `router` and `tokens` outlive it.
class Gate {
 public:
  Gate(const Router& router, TokenCheck& tokens) : router_(router), tokens_(tokens) {}
  std::optional<net::HttpResponse> Check(net::HttpRequest& request) const;

 private:
  // By a token, else by a session.
  std::optional<Caller> Identify(const net::HttpRequest& request) const;

  const Router& router_;
  TokenCheck& tokens_;
};

}  // namespace cordon::serve
