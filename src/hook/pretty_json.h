// JSON as people keep it in settings files.
#pragma once

#include <boost/json/value.hpp>
#include <string>
#include <string_view>

namespace cordon::hook {

// One member or element a line, indented by `indent` a level, "{}" and "[]" for empty ones,
// no newline at the end. Numbers are written in their shortest form.
std::string PrettyJson(const boost::json::value& value, std::string_view indent);

// What a text written that way is indented by; two spaces if it does not tell.
std::string IndentOf(std::string_view json);

}  // namespace cordon::hook
