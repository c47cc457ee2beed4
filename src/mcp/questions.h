// What a client may be asked, and whether it has said that it can answer.
#pragma once

#include <string_view>

#include "mcp/client.h"

namespace cordon::mcp {

// "elicitation/create", "roots/list", "sampling/createMessage"; false for all else.
bool CanBeAsked(const Client& client, std::string_view method);

}  // namespace cordon::mcp
