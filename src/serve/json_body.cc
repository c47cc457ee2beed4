#include "serve/json_body.h"

#include <boost/json/parse.hpp>
#include <utility>

#include "base/printable.h"
#include "base/unicode.h"

namespace cordon::serve {
namespace {

namespace json = boost::json;
constexpr std::size_t kDeepest = 32;

Error Bad(std::string_view name, std::string_view why) {
  Error error;
  error.code = ErrorCode::kInvalidArguments;
  error.op = "request";
  error.component = name;
  error.detail = why;
  return error;
}

}  // namespace

Result<JsonBody> JsonBody::Parse(const net::HttpRequest& request) {
  if (request.body.size() > kMostBytes) {
    Error error = Bad("", "this body is too long");
    error.code = ErrorCode::kTooLarge;
    return error;
  }
  if (request.body.find_first_not_of(" \t\r\n") == std::string::npos) {
    return JsonBody(json::object());
  }
  json::parse_options options;
  options.max_depth = kDeepest;
  json::error_code failed;
  json::value value = json::parse(request.body, failed, {}, options);
  if (failed || !value.is_object()) return Bad("", "the body must be a JSON object");
  return JsonBody(std::move(value.as_object()));
}

const json::value* JsonBody::Take(std::string_view name) {
  known_.emplace(name);
  const json::value* const found = object_.if_contains(name);
  return found != nullptr && found->is_null() ? nullptr : found;
}

void JsonBody::Refuse(std::string_view name, std::string_view why) {
  if (!wrong_) wrong_ = Bad(name, why);
}

std::optional<std::string> JsonBody::Text(std::string_view name) {
  const json::value* const found = Take(name);
  if (found == nullptr) return std::nullopt;
  if (!found->is_string()) {
    Refuse(name, "this must be text");
    return std::nullopt;
  }
  return std::string(found->get_string());
}

std::optional<std::uint64_t> JsonBody::Number(std::string_view name, std::uint64_t most) {
  const json::value* const found = Take(name);
  if (found == nullptr) return std::nullopt;
  json::error_code failed;
  const auto number = found->to_number<std::uint64_t>(failed);
  if (failed || number > most) {
    Refuse(name, "this must be a whole number from 0 to " + std::to_string(most));
    return std::nullopt;
  }
  return number;
}

std::optional<double> JsonBody::Decimal(std::string_view name, double most) {
  const json::value* const found = Take(name);
  if (found == nullptr) return std::nullopt;
  json::error_code failed;
  const auto number = found->to_number<double>(failed);
  if (failed || !(number >= 0) || number > most) {
    Refuse(name, "this must be a number that is not negative, and not too large");
    return std::nullopt;
  }
  return number;
}

std::optional<bool> JsonBody::Flag(std::string_view name) {
  const json::value* const found = Take(name);
  if (found == nullptr) return std::nullopt;
  if (!found->is_bool()) {
    Refuse(name, "this must be true or false");
    return std::nullopt;
  }
  return found->get_bool();
}

std::optional<std::vector<std::string>> JsonBody::Texts(std::string_view name) {
  const json::value* const found = Take(name);
  if (found == nullptr) return std::nullopt;
  std::vector<std::string> texts;
  if (const json::array* const list = found->if_array()) {
    for (const json::value& one : *list) {
      if (one.is_string()) texts.emplace_back(one.get_string());
    }
    if (texts.size() == list->size()) return texts;
  }
  Refuse(name, "this must be a list of texts");
  return std::nullopt;
}

std::optional<json::object> JsonBody::Object(std::string_view name) {
  const json::value* const found = Take(name);
  if (found == nullptr) return std::nullopt;
  if (!found->is_object()) {
    Refuse(name, "this must be an object");
    return std::nullopt;
  }
  return found->get_object();
}

Status JsonBody::Check() const {
  if (wrong_) return *wrong_;
  for (const auto& member : object_) {
    if (known_.find(std::string_view(member.key())) == known_.end()) {
      return Bad(member.key(), "there is no such field here");
    }
  }
  return {};
}

}  // namespace cordon::serve
