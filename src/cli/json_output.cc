#include "cli/json_output.h"

#include <boost/json/serialize.hpp>

#include "base/percent.h"
#include "base/printable.h"
#include "base/unicode.h"
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

}  // namespace

void AddBytes(json::object& object, std::string_view key, std::string_view bytes) {
  if (unicode::IsValidUtf8(bytes)) {
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

json::object CommandRuleObject(const policy::CommandRule& rule) {
  json::object object;
  object["action"] = policy::CommandActionName(rule.action);
  AddBytes(object, "rule", rule.name());
  if (!rule.reason.empty()) AddBytes(object, "reason", rule.reason);
  AddBytes(object, "origin", rule.origin);
  return object;
}

json::array TextArray(const std::vector<std::string>& texts) {
  json::array array;
  for (const std::string& text : texts) array.emplace_back(Printable(text));
  return array;
}

std::string Serialize(const json::object& object) { return PrintableJson(json::serialize(object)); }

}  // namespace cordon::cli
