// Failures of the protocol, as JSON-RPC tells them.
#pragma once

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <string>
#include <string_view>

#include "cordon/result.h"

namespace cordon::mcp {

// Values as on the wire.
enum class RpcCode : int {
  kParseError = -32700,
  kInvalidRequest = -32600,
  kMethodNotFound = -32601,
  kInvalidParams = -32602,
  kInternalError = -32603,
  kResourceNotFound = -32002,  // handshake era; the other one says kInvalidParams
  kHeaderMismatch = -32020,    // this and the next two: stateless era
  kMissingCapability = -32021,
  kUnsupportedRevision = -32022,
  kInsufficientScope = -31403,  // our own; HTTP says 403 and which scopes are needed
};

struct RpcError {
  RpcCode code = RpcCode::kInternalError;
  std::string message;
  boost::json::value data = nullptr;  // null: none
};

// {"code", "message", "data"?}
boost::json::object ErrorObject(const RpcError& error);

RpcError InvalidParams(std::string message);
RpcError MethodNotFound(std::string_view method);
// Becomes what the client's era says.
RpcError ResourceNotFound(std::string_view uri);
// `needed`: in the form of client capabilities, {"elicitation": {}}.
RpcError MissingCapability(boost::json::object needed);

// `scopes`: all that are needed, separated by blanks; in data as {"scope"}.
RpcError InsufficientScope(std::string_view scopes);

RpcError TooBusy();

template <typename T>
using Answered = tl::expected<T, RpcError>;

}  // namespace cordon::mcp
