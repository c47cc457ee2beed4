// Answers of the protocol as HTTP has them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "mcp/message.h"
#include "mcp/revision.h"
#include "mcp/rpc_error.h"
#include "net/http_message.h"

namespace cordon::mcp {

net::HttpResponse PlainText(std::uint16_t status, std::string_view why);
net::HttpResponse JsonAnswer(std::uint16_t status, std::string text);
net::HttpResponse ErrorAnswer(std::uint16_t status, const std::optional<Id>& id,
                              const RpcError& error);

// What goes with a response. In the stateless era some errors have a status of their own.
std::uint16_t StatusOf(const std::optional<RpcCode>& failure, Era era);

// The scopes that a response of kInsufficientScope names.
std::string ScopesIn(std::string_view response);

}  // namespace cordon::mcp
