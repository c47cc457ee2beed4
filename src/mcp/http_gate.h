// Who may speak to the server over HTTP at all, seen from a request's head.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "auth/access.h"
#include "mcp/http_server.h"
#include "mcp/rpc_error.h"
#include "net/http_message.h"

namespace cordon::mcp {

// Host keeps a page of somebody else's name from speaking to us by having that name
// resolve to this computer; Origin keeps pages of other sites out.
// Thread safety: may run concurrently.
class HttpGate {
 public:
  HttpGate(const HttpOptions& options, std::shared_ptr<const auth::Access> access);

  // What to send instead of anything else; or nothing, and `badge` is a Principal. The
  // metadata of RFC 9728 and what browsers ask before they ask need no access.
  std::optional<net::HttpResponse> Check(net::HttpRequest& request) const;

  // What browsers need to let a page of an accepted origin read an answer.
  void AllowOrigin(const net::HttpFields& request, net::HttpFields& response) const;

  // WWW-Authenticate for a token that does not cover `scopes`.
  std::string ScopeChallenge(std::string_view scopes) const;

 private:
  bool IsOurHost(const net::HttpFields& fields) const;
  bool IsGoodOrigin(std::string_view origin) const;
  bool IsMetadataPath(std::string_view path) const;
  net::HttpResponse Unauthorized(std::string_view why, bool presented) const;

  const std::string endpoint_;
  const std::vector<std::string> origins_;
  const std::vector<std::string> hosts_;
  const bool local_socket_;
  const bool loopback_;
  const std::shared_ptr<const auth::Access> access_;
  std::string metadata_;      // the document; "" if there is none
  std::string metadata_url_;  // where clients find it
  std::string scopes_;        // all that there are
};

}  // namespace cordon::mcp
