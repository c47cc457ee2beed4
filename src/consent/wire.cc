#include "consent/wire.h"

#include <array>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <utility>

#include "base/percent.h"
#include "base/printable.h"
#include "base/try.h"
#include "base/unicode.h"

namespace cordon::consent {
namespace {

namespace json = boost::json;

constexpr std::array<std::pair<SettledBy, std::string_view>, 5> kSettledBy{{
    {SettledBy::kHere, "here"},
    {SettledBy::kElsewhere, "elsewhere"},
    {SettledBy::kTimeout, "timeout"},
    {SettledBy::kWithdrawn, "withdrawn"},
    {SettledBy::kGone, "gone"},
}};

Error NotUnderstood(std::string detail) {
  Error error;
  error.code = ErrorCode::kInvalidArguments;
  error.op = "approval message";
  error.detail = std::move(detail);
  return error;
}

std::string EncodingKey(std::string_view key) { return std::string(key) + "Encoding"; }

void AddText(json::object& object, std::string_view key, std::string_view bytes) {
  if (unicode::IsValidUtf8(bytes)) {
    object[key] = bytes;
  } else {
    object[key] = PercentEncode(bytes);
    object[EncodingKey(key)] = "percent";
  }
}

Result<std::string> TextAt(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  if (value == nullptr || !value->is_string()) {
    return NotUnderstood("\"" + std::string(key) + "\" is missing or no text");
  }
  const json::string& text = value->get_string();
  const json::value* encoding = object.if_contains(EncodingKey(key));
  if (encoding == nullptr) return std::string(text.data(), text.size());
  if (*encoding != json::value("percent")) return NotUnderstood("an unknown encoding");
  return PercentDecode(std::string_view(text.data(), text.size()));
}

Result<std::optional<std::string>> MaybeTextAt(const json::object& object, std::string_view key) {
  if (!object.contains(key)) return std::optional<std::string>();
  TRY_ASSIGN(std::string text, TextAt(object, key));
  return std::optional<std::string>(std::move(text));
}

Result<Choice> ChoiceAt(const json::object& object) {
  TRY_ASSIGN(const std::string name, TextAt(object, "choice"));
  const std::optional<Choice> choice = ParseChoice(name);
  if (!choice) return NotUnderstood("\"choice\" is none of once, directory, tool, deny");
  return *choice;
}

Result<json::object> ParseObject(std::string_view line) {
  json::parse_options options;
  options.max_depth = 4;
  json::error_code failed;
  json::value value = json::parse(line, failed, {}, options);
  if (failed || !value.is_object()) return NotUnderstood("not a JSON object");
  return std::move(value.get_object());
}

std::string Line(const json::object& object) {
  return PrintableJson(json::serialize(object)) + '\n';
}

// Cut after a whole line where there is one, and said so.
std::string SentPreview(const std::string& preview) {
  if (preview.size() <= kMaxSentPreview) return preview;
  const std::size_t newline = preview.rfind('\n', kMaxSentPreview);
  const std::size_t kept = newline == std::string::npos ? kMaxSentPreview : newline + 1;
  return preview.substr(0, kept) + "... (" + std::to_string(preview.size() - kept) +
         " more bytes)\n";
}

json::array ChoicesOf(const Question& question) {
  json::array choices;
  for (const Choice choice : {Choice::kOnce, Choice::kDirectory, Choice::kTool, Choice::kDeny}) {
    if (question.Offers(choice)) choices.emplace_back(ChoiceName(choice));
  }
  return choices;
}

Result<Question> ReadQuestion(const json::object& object) {
  Question question;
  TRY_ASSIGN(question.id, TextAt(object, "id"));
  TRY_ASSIGN(question.session, TextAt(object, "session"));
  TRY_ASSIGN(question.actor, TextAt(object, "actor"));
  TRY_ASSIGN(question.tool, TextAt(object, "tool"));
  TRY_ASSIGN(const std::string operation, TextAt(object, "operation"));
  const std::optional<Operation> known = ParseOperation(operation);
  if (!known) return NotUnderstood("an unknown operation");
  question.operation = *known;
  TRY_ASSIGN(const std::string reason, TextAt(object, "reason"));
  const std::optional<Reason> why = ParseReason(reason);
  if (!why) return NotUnderstood("an unknown reason");
  question.reason = *why;
  TRY_ASSIGN(question.path, TextAt(object, "path"));
  TRY_ASSIGN(question.asked, TextAt(object, "asked"));
  TRY_ASSIGN(question.target, TextAt(object, "target"));
  TRY_ASSIGN(const std::optional<std::string> command, MaybeTextAt(object, "command"));
  question.command = command.value_or("");
  TRY_ASSIGN(question.state, TextAt(object, "state"));
  TRY_ASSIGN(question.preview, TextAt(object, "preview"));
  TRY_ASSIGN(question.directory, MaybeTextAt(object, "directory"));
  TRY_ASSIGN(question.trusted, MaybeTextAt(object, "trusted"));
  return question;
}

Result<Settled> ReadSettled(const json::object& object) {
  Settled settled;
  TRY_ASSIGN(settled.id, TextAt(object, "id"));
  TRY_ASSIGN(settled.choice, ChoiceAt(object));
  TRY_ASSIGN(const std::string by, TextAt(object, "by"));
  for (const auto& [value, name] : kSettledBy) {
    if (name == by) {
      settled.by = value;
      return settled;
    }
  }
  return NotUnderstood("settled by nobody known");
}

Result<Ignored> ReadIgnored(const json::object& object) {
  Ignored ignored;
  TRY_ASSIGN(ignored.id, TextAt(object, "id"));
  TRY_ASSIGN(ignored.reason, TextAt(object, "reason"));
  return ignored;
}

}  // namespace

std::string_view SettledByName(SettledBy by) {
  for (const auto& [value, name] : kSettledBy) {
    if (value == by) return name;
  }
  return "";
}

std::string LineOf(const Question& question) {
  json::object object;
  object["type"] = "question";
  AddText(object, "id", question.id);
  AddText(object, "session", question.session);
  AddText(object, "actor", question.actor);
  AddText(object, "tool", question.tool);
  object["operation"] = OperationName(question.operation);
  object["reason"] = ReasonName(question.reason);
  AddText(object, "path", question.path);
  AddText(object, "asked", question.asked);
  AddText(object, "target", question.target);
  if (!question.command.empty()) AddText(object, "command", question.command);
  AddText(object, "state", question.state);
  AddText(object, "preview", SentPreview(question.preview));
  if (question.directory) AddText(object, "directory", *question.directory);
  if (question.trusted) AddText(object, "trusted", *question.trusted);
  object["choices"] = ChoicesOf(question);
  return Line(object);
}

std::string LineOf(const Settled& settled) {
  json::object object;
  object["type"] = "settled";
  AddText(object, "id", settled.id);
  object["choice"] = ChoiceName(settled.choice);
  object["by"] = SettledByName(settled.by);
  return Line(object);
}

std::string LineOf(const Ignored& ignored) {
  json::object object;
  object["type"] = "ignored";
  AddText(object, "id", ignored.id);
  AddText(object, "reason", ignored.reason);
  return Line(object);
}

std::string LineOf(const GivenAnswer& answer) {
  json::object object;
  object["type"] = "answer";
  AddText(object, "id", answer.id);
  object["choice"] = ChoiceName(answer.choice);
  return Line(object);
}

Result<ToPerson> ParseToPerson(std::string_view line) {
  TRY_ASSIGN(const json::object object, ParseObject(line));
  TRY_ASSIGN(const std::string type, TextAt(object, "type"));
  if (type == "question") {
    TRY_ASSIGN(Question question, ReadQuestion(object));
    return ToPerson(std::move(question));
  }
  if (type == "settled") {
    TRY_ASSIGN(Settled settled, ReadSettled(object));
    return ToPerson(std::move(settled));
  }
  if (type == "ignored") {
    TRY_ASSIGN(Ignored ignored, ReadIgnored(object));
    return ToPerson(std::move(ignored));
  }
  return NotUnderstood("an unknown type of message");
}

Result<GivenAnswer> ParseAnswer(std::string_view line) {
  TRY_ASSIGN(const json::object object, ParseObject(line));
  TRY_ASSIGN(const std::optional<std::string> type, MaybeTextAt(object, "type"));
  if (type.value_or("answer") != "answer") return NotUnderstood("not an answer");
  GivenAnswer answer;
  TRY_ASSIGN(answer.id, TextAt(object, "id"));
  TRY_ASSIGN(answer.choice, ChoiceAt(object));
  return answer;
}

}  // namespace cordon::consent
