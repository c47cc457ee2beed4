#include "mcp_tools/client_channel.h"

#include <algorithm>
#include <boost/json/array.hpp>
#include <chrono>
#include <optional>
#include <utility>

namespace cordon::mcp_tools {
namespace {

namespace json = boost::json;
using consent::Choice;
using mcp::AskFailure;

constexpr std::string_view kMethod = "elicitation/create";

Error Failed(ErrorCode code, std::string_view rule, std::string detail) {
  Error error;
  error.code = code;
  error.op = "ask client";
  error.rule = rule;
  error.detail = std::move(detail);
  return error;
}

Error Pending() {
  return Failed(ErrorCode::kConsentDenied, "pending", "asked the client, who has to call again");
}

Error ErrorOf(AskFailure failure) {
  switch (failure) {
    case AskFailure::kPending: return Pending();
    case AskFailure::kIncapable:
      return Failed(ErrorCode::kConsentUnavailable, "consent", "the client cannot ask anybody");
    case AskFailure::kTimeout:
      return Failed(ErrorCode::kTimeout, "consent", "nobody answered in time");
    case AskFailure::kCancelled: return Failed(ErrorCode::kConsentDenied, "withdrawn", "withdrawn");
    case AskFailure::kRefused: break;
  }
  return Failed(ErrorCode::kConsentUnavailable, "consent", "the client refused to ask");
}

Result<Choice> ChoiceOf(const FormAnswer& answer) {
  if (answer.failure.empty()) return answer.choice;
  return Failed(ErrorCode::kConsentDenied, "consent", answer.failure);
}

// "" if it is no text.
std::string_view TextAt(const json::object& object, std::string_view key) {
  const json::value* const value = object.if_contains(key);
  return value != nullptr && value->is_string() ? std::string_view(value->as_string())
                                                : std::string_view();
}

const json::array* ListAt(const json::object& object, std::string_view key) {
  const json::value* const value = object.if_contains(key);
  return value != nullptr ? value->if_array() : nullptr;
}

json::array NamesOf(const std::vector<Choice>& choices) {
  json::array names;
  for (const Choice choice : choices) names.emplace_back(consent::ChoiceName(choice));
  return names;
}

std::vector<Choice> ChoicesAt(const json::object& object, std::string_view key) {
  std::vector<Choice> choices;
  const json::array* const names = ListAt(object, key);
  if (names == nullptr) return choices;
  for (const json::value& name : *names) {
    if (!name.is_string()) continue;
    if (const auto choice = consent::ParseChoice(name.as_string())) choices.push_back(*choice);
  }
  return choices;
}

}  // namespace

ClientChannel::ClientChannel(mcp::Exchange& exchange, std::mutex& in_use)
    : exchange_(exchange), in_use_(in_use) {}

bool ClientChannel::available() const { return exchange_.client().CanFillForms(); }

void ClientChannel::ResumeOpen(const json::object& asked) {
  const json::value* const params = asked.if_contains("params");
  if (params == nullptr || !params->is_object()) return;
  Open open{std::string(TextAt(asked, "key")), std::string(TextAt(asked, "digest")),
            params->as_object(), ChoicesAt(asked, "offered")};
  // An answer is here already, or is asked for again; nobody waits.
  const auto answer = exchange_.Ask(open.key, kMethod, open.params, std::chrono::milliseconds(0));
  if (answer) {
    given_.push_back({std::move(open.digest), ReadForm(*answer, open.offered)});
  } else if (answer.error() == AskFailure::kPending) {
    open_.push_back(std::move(open));
  }
}

void ClientChannel::Resume() {
  if (std::exchange(resumed_, true)) return;
  const json::object* const carried = exchange_.carried();
  if (carried == nullptr) return;
  if (const json::value* const round = carried->if_contains("round");
      round != nullptr && round->is_int64()) {
    round_ = static_cast<int>(std::clamp<std::int64_t>(round->as_int64(), 0, kMostRounds));
  }
  if (const json::array* const answers = ListAt(*carried, "answers")) {
    for (const json::value& one : *answers) {
      if (!one.is_object()) continue;
      const json::object& object = one.as_object();
      const auto choice = consent::ParseChoice(TextAt(object, "choice"));
      given_.push_back({std::string(TextAt(object, "digest")),
                        {choice.value_or(Choice::kDeny), std::string(TextAt(object, "failure"))}});
    }
  }
  if (const json::array* const asked = ListAt(*carried, "asked")) {
    for (const json::value& one : *asked) {
      if (one.is_object()) ResumeOpen(one.as_object());
    }
  }
  if (!open_.empty()) exchange_.Carry(State());
}

json::object ClientChannel::State() const {
  json::array answers, asked;
  for (const Given& given : given_) {
    json::object object{{"digest", given.digest},
                        {"choice", consent::ChoiceName(given.answer.choice)}};
    if (!given.answer.failure.empty()) object["failure"] = given.answer.failure;
    answers.push_back(std::move(object));
  }
  for (const Open& open : open_) {
    asked.push_back(json::object{{"key", open.key},
                                 {"digest", open.digest},
                                 {"params", open.params},
                                 {"offered", NamesOf(open.offered)}});
  }
  return {{"round", round_ + 1}, {"answers", std::move(answers)}, {"asked", std::move(asked)}};
}

Result<Choice> ClientChannel::Put(const consent::Question& question, std::string digest,
                                  consent::Deadline deadline) {
  // Nobody who was not asked can name it: an answer to another question is none to this.
  Open open{"consent-" + question.id, std::move(digest),
            ConsentForm(question, exchange_.client().revision), ChoicesOf(question)};
  const auto patience = std::chrono::duration_cast<std::chrono::milliseconds>(
      deadline - std::chrono::steady_clock::now());
  const auto answer = exchange_.Ask(open.key, kMethod, open.params,
                                    std::max(patience, std::chrono::milliseconds(0)));
  if (answer) return ChoiceOf(ReadForm(*answer, open.offered));
  if (answer.error() == AskFailure::kPending) {
    open_.push_back(std::move(open));
    exchange_.Carry(State());
  }
  return ErrorOf(answer.error());
}

Result<Choice> ClientChannel::Ask(const consent::Question& question, consent::Deadline deadline,
                                  const std::stop_token& /*stop*/) {
  const std::lock_guard lock(in_use_);
  Resume();
  std::string digest = DigestOf(question);
  for (Given& given : given_) {
    if (given.use == Given::Use::kUsed || given.digest != digest) continue;
    given.use = Given::Use::kUsed;
    return ChoiceOf(given.answer);
  }
  const auto same = [&](const Open& open) { return open.digest == digest; };
  if (std::any_of(open_.begin(), open_.end(), same)) return Pending();
  if (open_.size() >= kMostOpen) return Pending();
  if (round_ >= kMostRounds) {
    return Failed(ErrorCode::kConsentDenied, "consent", "the client was asked too often");
  }
  return Put(question, std::move(digest), deadline);
}

}  // namespace cordon::mcp_tools
