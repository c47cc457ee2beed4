#include "mcp/canonical_json.h"

#include <algorithm>
#include <boost/json/serialize.hpp>
#include <string_view>
#include <utility>
#include <vector>

namespace cordon::mcp {
namespace {

namespace json = boost::json;

// Deep as the value is; what clients send is bounded by kMaxDepth.
void Append(std::string& text, const json::value& value);

void AppendObject(std::string& text, const json::object& object) {
  std::vector<std::pair<std::string_view, const json::value*>> members;
  members.reserve(object.size());
  for (const json::key_value_pair& member : object) {
    members.emplace_back(std::string_view(member.key()), &member.value());
  }
  std::sort(members.begin(), members.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  text += '{';
  for (const auto& [key, value] : members) {
    text += json::serialize(json::string_view(key));
    text += ':';
    Append(text, *value);
    text += ',';
  }
  text += '}';
}

void Append(std::string& text, const json::value& value) {
  if (value.is_object()) {
    AppendObject(text, value.get_object());
  } else if (value.is_array()) {
    text += '[';
    for (const json::value& item : value.get_array()) {
      Append(text, item);
      text += ',';
    }
    text += ']';
  } else {
    text += json::serialize(value);
  }
}

}  // namespace

std::string CanonicalText(const json::value& value) {
  std::string text;
  Append(text, value);
  return text;
}

}  // namespace cordon::mcp
