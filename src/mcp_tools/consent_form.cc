#include "mcp_tools/consent_form.h"

#include <algorithm>
#include <boost/json/array.hpp>
#include <optional>
#include <string_view>
#include <utility>

#include "base/sha256.h"
#include "consent/prompt.h"
#include "cordon/operation.h"

namespace cordon::mcp_tools {
namespace {

namespace json = boost::json;
using consent::Choice;
using consent::Question;

constexpr std::size_t kColumns = 100;

std::string MessageOf(const Question& question) {
  std::string text;
  for (const std::string& line : consent::FactLines(question, kColumns)) {
    if (!text.empty()) text += '\n';
    text += line;
  }
  return text;
}

json::object DecisionField(const Question& question, mcp::Revision revision) {
  const std::vector<consent::PromptOption> options = consent::OptionsOf(question);
  json::object field;
  field["type"] = "string";
  field["title"] = "Decision";
  if (revision < mcp::Revision::k2025_11_25) {
    json::array values, names;
    for (const consent::PromptOption& option : options) {
      values.emplace_back(consent::ChoiceName(option.choice));
      names.emplace_back(option.label);
    }
    field["enum"] = std::move(values);
    field["enumNames"] = std::move(names);
    return field;
  }
  json::array values;
  for (const consent::PromptOption& option : options) {
    values.push_back(
        json::object{{"const", consent::ChoiceName(option.choice)}, {"title", option.label}});
  }
  field["oneOf"] = std::move(values);
  field["default"] = consent::ChoiceName(Choice::kDeny);
  return field;
}

// With its length before it: no two lists of texts give the same bytes.
void AddText(Sha256Stream& stream, std::string_view text) {
  stream.Add(std::to_string(text.size()));
  stream.Add(":");
  stream.Add(text);
}

void AddText(Sha256Stream& stream, const std::optional<std::string>& text) {
  stream.Add(text ? "+" : "-");
  if (text) AddText(stream, std::string_view(*text));
}

}  // namespace

std::vector<Choice> ChoicesOf(const Question& question) {
  std::vector<Choice> choices;
  for (const consent::PromptOption& option : consent::OptionsOf(question)) {
    choices.push_back(option.choice);
  }
  return choices;
}

json::object ConsentForm(const Question& question, mcp::Revision revision) {
  json::object schema;
  schema["type"] = "object";
  schema["properties"] = json::object{{"decision", DecisionField(question, revision)}};
  schema["required"] = json::array{"decision"};
  json::object params;
  if (revision >= mcp::Revision::k2025_11_25) params["mode"] = "form";
  params["message"] = MessageOf(question);
  params["requestedSchema"] = std::move(schema);
  return params;
}

FormAnswer ReadForm(const json::object& result, const std::vector<Choice>& offered) {
  const json::value* const action = result.if_contains("action");
  if (action == nullptr || !action->is_string()) {
    return {Choice::kDeny, "the client gave no answer"};
  }
  if (action->as_string() == "decline") return {};
  if (action->as_string() == "cancel") return {Choice::kDeny, "the question was dismissed"};
  const json::value* const content =
      action->as_string() == "accept" ? result.if_contains("content") : nullptr;
  const json::value* const decision = content != nullptr && content->is_object()
                                          ? content->as_object().if_contains("decision")
                                          : nullptr;
  if (decision == nullptr || !decision->is_string()) {
    return {Choice::kDeny, "the client gave no answer"};
  }
  const std::optional<Choice> choice = consent::ParseChoice(decision->as_string());
  if (!choice || std::find(offered.begin(), offered.end(), *choice) == offered.end()) {
    return {Choice::kDeny, "the answer was none of those offered"};
  }
  return {*choice, ""};
}

std::string DigestOf(const Question& question) {
  Sha256Stream stream;
  for (const std::string_view text :
       {std::string_view(question.session), std::string_view(question.tool),
        OperationName(question.operation), std::string_view(question.path),
        std::string_view(question.asked), std::string_view(question.target),
        std::string_view(question.command), std::string_view(question.state),
        std::string_view(question.preview), std::string_view(question.object)}) {
    AddText(stream, text);
  }
  stream.Add(consent::ReasonName(question.reason));
  AddText(stream, question.directory);
  AddText(stream, question.trusted);
  return ToHex(stream.Finish());
}

}  // namespace cordon::mcp_tools
