// Outcomes as JSON: what every front end sends.
#pragma once

#include <boost/json/object.hpp>
#include <boost/json/storage_ptr.hpp>
#include <string_view>

#include "cordon/error.h"
#include "tools/outcome.h"

namespace cordon::tools {

// Sets `key` to a file name. Bytes that are not UTF-8 are percent-encoded, and
// KEY_encoding is then "percent"; the same two go back in as arguments.
void AddPath(boost::json::object& object, std::string_view key, std::string_view bytes);

// Where data of many parts is made: given back at once, with the last part. What is to
// take parts from it without a copy must be made there, too.
boost::json::storage_ptr RoomForMuch();

// Text that JSON can hold: bytes that are not UTF-8 become U+FFFD.
std::string ValidUtf8(std::string_view bytes);

// {"success": true, "data", "changedFiles", "previewRefreshNeeded"}, or
// {"success": false, "error": {"code", "message", "aiMessage", "securityViolation",
// "violation", "recoverable", "rule", "component", "data"}}.
boost::json::object ResultObject(Outcome outcome);

boost::json::object ErrorObject(const Failure& failure);

// For the person: what was refused and why.
std::string MessageOf(const Failure& failure);

}  // namespace cordon::tools
