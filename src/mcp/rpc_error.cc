#include "mcp/rpc_error.h"

#include <utility>

namespace cordon::mcp {

namespace json = boost::json;

json::object ErrorObject(const RpcError& error) {
  json::object object{{"code", static_cast<int>(error.code)}, {"message", error.message}};
  if (!error.data.is_null()) object["data"] = error.data;
  return object;
}

RpcError InvalidParams(std::string message) {
  return {RpcCode::kInvalidParams, std::move(message)};
}

RpcError MethodNotFound(std::string_view method) {
  std::string message = "there is no method ";
  message.append(method.substr(0, 100));
  return {RpcCode::kMethodNotFound, std::move(message)};
}

RpcError ResourceNotFound(std::string_view uri) {
  return {RpcCode::kResourceNotFound, "resource not found", json::object{{"uri", uri}}};
}

RpcError MissingCapability(json::object needed) {
  return {RpcCode::kMissingCapability, "the client must be able to do more for this",
          json::object{{"requiredCapabilities", std::move(needed)}}};
}

RpcError TooBusy() {
  return {RpcCode::kInternalError, "too many requests wait already; try again later"};
}

RpcError InsufficientScope(std::string_view scopes) {
  return {RpcCode::kInsufficientScope, "the access token does not cover this",
          json::object{{"scope", scopes}}};
}

}  // namespace cordon::mcp
