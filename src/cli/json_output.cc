#include "cli/json_output.h"

#include <boost/json/serialize.hpp>
#include <cstdio>

#include "base/printable.h"
#include "base/unicode.h"
#include "cli/byte_text.h"
#include "cli/report.h"
#include "cordon/operation.h"

namespace cordon::cli {
namespace json = boost::json;
namespace {

// The part that does not depend on how the message is worded.
void AddFacts(json::object& object, const Error& error) {
  object["aiMessage"] = Printable(error.AiMessage(), kMaxSentenceBytes);
  object["securityViolation"] = error.security_violation();
  if (error.violation != Violation::kNone) {
    object["violation"] = ViolationName(error.violation);
  }
  object["recoverable"] = error.recoverable();
  if (!error.rule.empty()) AddBytes(object, "rule", error.rule);
  if (!error.component.empty()) AddBytes(object, "component", error.component);
}

void AppendUnit(std::string& text, char32_t unit) {
  char escape[8];
  std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(unit & 0xffff));
  text += escape;
}

// JSON text in which every code point that does not show as itself is a \u escape;
// still the same JSON, but for bytes that are not UTF-8, which JSON cannot have.
std::string JsonForTerminal(std::string_view json) {
  std::string text;
  text.reserve(json.size());
  while (!json.empty()) {
    const unicode::Decoded next = unicode::DecodeFirst(json);
    if (!next.valid) {
      AppendUnit(text, 0xfffd);
    } else if (unicode::ShowsAsItself(next.code_point)) {
      text += json.substr(0, next.length);
    } else if (next.code_point < 0x10000) {
      AppendUnit(text, next.code_point);
    } else {
      AppendUnit(text, 0xd800 + ((next.code_point - 0x10000) >> 10));
      AppendUnit(text, 0xdc00 + ((next.code_point - 0x10000) & 0x3ff));
    }
    json.remove_prefix(next.length);
  }
  return text;
}

}  // namespace

void AddBytes(json::object& object, std::string_view key, std::string_view bytes) {
  if (IsUtf8(bytes)) {
    object[key] = bytes;
    return;
  }
  object[key] = PercentEncode(bytes);
  object[std::string(key) + "Encoding"] = "percent";
}

json::object ErrorObject(const Error& error, std::string_view requested) {
  json::object object;
  object["code"] = ErrorCodeName(error.code);
  object["message"] = Printable(error.Message(requested), kMaxSentenceBytes);
  AddFacts(object, error);
  return object;
}

json::object ErrorObject(const Error& error) {
  json::object object;
  object["code"] = ErrorCodeName(error.code);
  object["message"] =
      Printable(error.detail.empty() ? ErrorCodeName(error.code) : std::string_view(error.detail),
                kMaxSentenceBytes);
  AddFacts(object, error);
  return object;
}

json::object DenyRuleObject(const policy::DenyRule& rule) {
  json::object object;
  AddBytes(object, "pattern", rule.pattern);
  if (!rule.except.empty()) object["except"] = TextArray(rule.except);
  json::array operations;
  for (std::size_t i = 0; i < rule.operations.size(); ++i) {
    if (rule.operations.test(i)) {
      operations.emplace_back(OperationName(static_cast<Operation>(i)));
    }
  }
  object["operations"] = std::move(operations);
  if (!rule.reason.empty()) AddBytes(object, "reason", rule.reason);
  AddBytes(object, "origin", rule.origin);
  return object;
}

json::array TextArray(const std::vector<std::string>& texts) {
  json::array array;
  for (const std::string& text : texts) array.emplace_back(Printable(text));
  return array;
}

std::string Serialize(const json::object& object) {
  return JsonForTerminal(json::serialize(object));
}

}  // namespace cordon::cli
