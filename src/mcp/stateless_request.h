// What a request of the stateless era says of itself.
#pragma once

#include <boost/json/object.hpp>

#include "mcp/client.h"
#include "mcp/message.h"
#include "mcp/rpc_error.h"
#include "mcp/state_seal.h"

namespace cordon::mcp {

// Errors: kUnsupportedRevision; kInvalidParams when something needed is missing.
Answered<Client> ReadClient(const boost::json::object& params, Principal principal);

// What a repeated request must have in common with this one.
Binding BindingOf(const Request& request, const Principal& principal);

}  // namespace cordon::mcp
