// The paths and commands in one call of a tool.
#pragma once

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <string_view>

#include "cordon/result.h"
#include "hook/event.h"
#include "hook/tool_table.h"

namespace cordon::hook {

// "The hook's input cannot be judged": what every malformed input ends as.
Error Malformed(std::string detail);

// A tool of the tables. Errors: kInvalidArguments for a field of the wrong type, and where
//   none of those is there that the tool needs; kLimitExceeded.
Status GatherKnown(const Tool& tool, const boost::json::object& input, Event& event);

// Any other: every field, at any depth, whose name sounds like a path. Errors: kLimitExceeded.
Status GatherUnknown(std::string_view tool, const boost::json::value& input, Event& event);

}  // namespace cordon::hook
