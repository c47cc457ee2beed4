// From a method's parameters to the Service and back to a result: what both eras share.
#pragma once

#include <boost/json/object.hpp>
#include <string_view>

#include "mcp/exchange.h"
#include "mcp/rpc_error.h"
#include "mcp/service.h"

namespace cordon::mcp {

// Whether the Service has said that it offers what a method belongs to. False for
// methods that are not dispatched here.
bool Offers(const Description& description, std::string_view method);

// Never throws. Errors: those of the Service; kMethodNotFound; kInvalidParams for
// parameters of the wrong form; kInternalError when the Service throws.
Answered<boost::json::object> Dispatch(Service& service, Exchange& exchange,
                                       std::string_view method, const boost::json::object& params);

}  // namespace cordon::mcp
