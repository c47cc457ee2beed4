// What HTTP headers repeat of a message, so that others can route it without reading it.
#pragma once

#include <boost/json/object.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "mcp/message.h"
#include "mcp/rpc_error.h"
#include "net/http_message.h"

namespace cordon::mcp {

// A header's value, "=?base64?...?=" decoded. Nothing if that is not base64 of UTF-8.
std::optional<std::string> DecodeHeader(std::string_view value);

// Stateless era: MCP-Protocol-Version, Mcp-Method and Mcp-Name must say what the message
// says. Errors: kHeaderMismatch.
std::optional<RpcError> CheckHeaders(const net::HttpFields& fields, const Request& request);

// The same of Mcp-Param-*, for properties of `schema` with "x-mcp-header". Others are
// ignored.
std::optional<RpcError> CheckParameterHeaders(const net::HttpFields& fields,
                                              const boost::json::object& schema,
                                              const boost::json::object& arguments);

// Whether an `Accept` or `Content-Type` covers the type. Without a header, everything is.
bool Accepts(const net::HttpFields& fields, std::string_view type);
bool IsJson(const net::HttpFields& fields);

}  // namespace cordon::mcp
