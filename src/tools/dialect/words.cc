#include "tools/dialect/words.h"

#include <boost/json/array.hpp>

#include "base/printable.h"
#include "tools/result_object.h"

namespace cordon::tools::dialect {
namespace {

namespace json = boost::json;

std::string TextOf(const json::value& value) {
  if (value.is_string()) return std::string(value.as_string());
  if (value.is_int64()) return std::to_string(value.as_int64());
  if (value.is_uint64()) return std::to_string(value.as_uint64());
  std::string list;
  if (!value.is_array()) return list;
  for (const json::value& one : value.as_array()) {
    list += (list.empty() ? "" : ", ") + TextOf(one);
  }
  return list;
}

std::string Found(std::string_view name, const json::object& data, const Arguments& given) {
  if (const json::value* const value = data.if_contains(name)) return TextOf(*value);
  if (const auto number = given.Integer(name)) return std::to_string(*number);
  return ValidUtf8(given.Text(name));
}

}  // namespace

std::string Fill(std::string_view words, const json::object& data, const Arguments& given) {
  std::string text;
  while (!words.empty()) {
    const std::size_t open = words.find('{');
    text += words.substr(0, open);
    if (open == words.npos) break;
    words.remove_prefix(open + 1);
    const std::size_t close = words.find('}');
    text += Found(words.substr(0, close), data, given);
    words.remove_prefix(close == words.npos ? words.size() : close + 1);
  }
  return text;
}

std::string FillFailure(std::string_view words, const Failure& failure, const Scene& scene) {
  json::object data = failure.data;
  data["path"] = Printable(failure.requested);
  data["advice"] = ValidUtf8(failure.advice.empty() ? failure.error.AiMessage() : failure.advice);
  data["detail"] = Printable(failure.error.detail);
  return Fill(words, data, scene.given);
}

}  // namespace cordon::tools::dialect
