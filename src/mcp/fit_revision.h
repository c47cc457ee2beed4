// Results for clients of older revisions.
#pragma once

#include <boost/json/object.hpp>
#include <string_view>

#include "mcp/revision.h"
#include "mcp/rpc_error.h"

namespace cordon::mcp {

// Takes out of a method's result what `revision` does not have yet. Content of a type
// that it does not know becomes text.
void FitResult(boost::json::object& result, std::string_view method, Revision revision);

// Server capabilities as `revision` has them.
boost::json::object FitCapabilities(const boost::json::object& capabilities, Revision revision);

// Codes that belong to the other era become their counterpart.
void FitError(RpcError& error, Revision revision);

}  // namespace cordon::mcp
