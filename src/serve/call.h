// One request to the API, as its handler gets it: matched, and its sender known.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "net/http_server.h"

namespace cordon::serve {

// Whose token was shown.
struct Caller {
  std::string user;   // store::User::id
  std::string token;  // store::Token::id
  std::vector<std::string> scopes;

  // "admin" has every scope.
  bool Has(std::string_view scope) const {
    return std::any_of(scopes.begin(), scopes.end(),
                       [&](const std::string& one) { return one == scope || one == "admin"; });
  }
};

struct Call {
  net::HttpRequest request;
  std::map<std::string, std::string, std::less<>> parameters;  // of the path, decoded
  Caller caller;                                               // of a public route: nobody

  const std::string& Parameter(std::string_view name) const {
    return parameters.find(name)->second;
  }
};

using Reply = std::shared_ptr<net::HttpReply>;
// Runs in a worker's thread and may wait.
using Handler = std::function<void(Call& call, const Reply& reply)>;
// What most handlers are: one answer, at once.
using Answerer = std::function<net::HttpResponse(Call& call)>;
Handler Answering(Answerer answerer);

}  // namespace cordon::serve
