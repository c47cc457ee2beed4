// What goes wrong, in the one shape that all of the API has:
// {"error": {"code", "message", …}}.
#pragma once

#include <boost/json/value.hpp>
#include <cstdint>
#include <string_view>

#include "cordon/error.h"
#include "net/http_message.h"

namespace cordon::serve {

net::HttpResponse JsonAnswer(std::uint16_t status, const boost::json::value& body);

net::HttpResponse Problem(std::uint16_t status, std::string_view code, std::string_view message);
// Status and code follow from the error. What the system said is for the operator, so that of
// kIoError nothing is told.
net::HttpResponse ProblemOf(const Error& error);
std::uint16_t StatusOf(ErrorCode code);

// The same bytes for what is not there and for what is somebody else's.
net::HttpResponse NoSuchObject();
// R32: for a tool that needs a sandbox and has none.
inline constexpr std::string_view kSandboxRequired =
    "This operation requires a sandbox environment. Please refresh and try again.";

}  // namespace cordon::serve
