// JSON values as text, added to what is there already.
#pragma once

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <string>
#include <string_view>

namespace cordon::mcp {

// The same bytes as boost::json::serialize gives, which looks at a text byte by byte and
// takes ten times as long for the contents of files.
void AppendJson(std::string& text, const boost::json::value& value);
void AppendJson(std::string& text, const boost::json::object& object);
void AppendJson(std::string& text, std::string_view string);

}  // namespace cordon::mcp
