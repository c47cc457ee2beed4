#include "tools/result_object.h"

#include <boost/json/array.hpp>
#include <boost/json/monotonic_resource.hpp>
#include <string>

#include "base/percent.h"
#include "base/printable.h"
#include "base/unicode.h"

namespace cordon::tools {
namespace {

namespace json = boost::json;

// Longest sentence that is told, with the pieces it repeats.
constexpr std::size_t kMaxSentence = 16 * kMaxEchoedBytes;

}  // namespace

json::storage_ptr RoomForMuch() {
  constexpr std::size_t kFirst = 16 * 1024;
  return json::make_shared_resource<json::monotonic_resource>(kFirst);
}

void AddPath(json::object& object, std::string_view key, std::string_view bytes) {
  if (unicode::IsValidUtf8(bytes)) {
    object[key] = bytes;
    return;
  }
  object[key] = PercentEncode(bytes);
  object[std::string(key) + "_encoding"] = "percent";
}

std::string ValidUtf8(std::string_view bytes) {
  if (unicode::IsValidUtf8(bytes)) return std::string(bytes);
  std::string text;
  text.reserve(bytes.size());
  while (!bytes.empty()) {
    const unicode::Decoded first = unicode::DecodeFirst(bytes);
    if (first.valid) {
      text += bytes.substr(0, first.length);
    } else {
      text += "\xEF\xBF\xBD";
    }
    bytes.remove_prefix(first.length);
  }
  return text;
}

std::string MessageOf(const Failure& failure) {
  const Error& error = failure.error;
  if (!failure.requested.empty()) return Printable(error.Message(failure.requested), kMaxSentence);
  return Printable(
      error.detail.empty() ? ErrorCodeName(error.code) : std::string_view(error.detail),
      kMaxSentence);
}

json::object ErrorObject(const Failure& failure) {
  const Error& error = failure.error;
  json::object object;
  object["code"] = ErrorCodeName(error.code);
  object["message"] = MessageOf(failure);
  object["aiMessage"] = failure.advice.empty() ? Printable(error.AiMessage(), kMaxSentence)
                                               : ValidUtf8(failure.advice);
  object["securityViolation"] = error.security_violation();
  if (error.violation != Violation::kNone) object["violation"] = ViolationName(error.violation);
  object["recoverable"] = error.recoverable();
  if (!error.rule.empty()) AddPath(object, "rule", error.rule);
  if (!error.component.empty()) AddPath(object, "component", error.component);
  if (!failure.data.empty()) object["data"] = failure.data;
  return object;
}

json::object ResultObject(Outcome outcome) {
  json::object object(outcome ? outcome->data.storage() : json::storage_ptr());
  object["success"] = outcome.has_value();
  if (!outcome) {
    object["error"] = ErrorObject(outcome.error());
    return object;
  }
  object["data"] = std::move(outcome->data);
  json::array changed;
  for (const std::string& path : outcome->changed) changed.emplace_back(Printable(path, 4096));
  object["previewRefreshNeeded"] = !changed.empty();
  object["changedFiles"] = std::move(changed);
  return object;
}

}  // namespace cordon::tools
