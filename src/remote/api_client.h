// The HTTP API of a running `cordon serve`, as a program asks it (docs/http-api.md).
#pragma once

#include <boost/json/object.hpp>
#include <memory>
#include <optional>
#include <string>

#include "cordon/result.h"
#include "net/http_client.h"
#include "net/web_socket.h"
#include "remote/server_place.h"

namespace cordon::remote {

// Errors of every call: what the server says against it, with its code, and a sentence that ends
//   in what to do next; kIoError when nobody answers. A code that only HTTP has is
//   kPermissionDenied (401, 403), kSandboxRequired (409) or the nearest.
// Thread safety: all methods may run concurrently.
class ApiClient {
 public:
  explicit ApiClient(ServerPlace place) : place_(std::move(place)), client_(place_.peer) {}

  const ServerPlace& place() const { return place_; }

  // `target`: path and query, escaped. The answer's object; empty where there is none.
  Result<boost::json::object> Get(const std::string& target) const;
  Result<boost::json::object> Post(const std::string& target,
                                   const boost::json::object& body) const;
  Status Delete(const std::string& target) const;
  // A body of any bytes.
  Result<boost::json::object> Put(const std::string& target, net::HttpPieces pieces) const;

  // The answer's body by and by. `accept`: the media type wanted, "" for any.
  Result<std::unique_ptr<net::HttpIncoming>> Open(const std::string& target,
                                                  const net::HttpFields& fields = {}) const;
  Result<std::unique_ptr<net::HttpIncoming>> PostForEvents(const std::string& target,
                                                           const boost::json::object& body) const;
  Result<std::shared_ptr<net::WebSocket>> OpenSocket(const std::string& target) const;

 private:
  net::HttpCall CallOf(std::string method, const std::string& target) const;
  Result<boost::json::object> Send(const net::HttpCall& call) const;
  Result<std::unique_ptr<net::HttpIncoming>> Stream(const net::HttpCall& call) const;
  Error Unreached(const Error& error) const;
  Error Refused(const net::HttpResponse& answer) const;

  ServerPlace place_;
  net::HttpClient client_;
};

}  // namespace cordon::remote
