// JSON as people keep it in settings files.
#pragma once

#include <boost/json/value.hpp>
#include <string>
#include <string_view>

#include "cordon/result.h"

namespace cordon::hook {

// Numbers become texts that PrettyJson writes as they stood, to the last digit: a number that
// is not ours must come out as it went in.
// Errors: kInvalidArguments for what is not JSON.
Result<boost::json::value> ParseKeepingNumbers(std::string_view text);

// One member or element a line, indented by `indent` a level, "{}" and "[]" for empty ones,
// no newline at the end. Values that are equal come out the same, wherever they are from.
std::string PrettyJson(const boost::json::value& value, std::string_view indent);

// What a text written that way is indented by; two spaces if it does not tell.
std::string IndentOf(std::string_view json);

}  // namespace cordon::hook
