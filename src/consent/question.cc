#include "consent/question.h"

namespace cordon::consent {

std::string_view ChoiceName(Choice choice) {
  switch (choice) {
    case Choice::kDeny: return "deny";
    case Choice::kOnce: return "once";
    case Choice::kDirectory: return "directory";
    case Choice::kTool: return "tool";
  }
  return "deny";
}

std::optional<Choice> ParseChoice(std::string_view name) {
  for (const Choice choice : {Choice::kDeny, Choice::kOnce, Choice::kDirectory, Choice::kTool}) {
    if (ChoiceName(choice) == name) return choice;
  }
  return std::nullopt;
}

std::string_view ReasonName(Reason reason) {
  switch (reason) {
    case Reason::kOutside: return "outside";
    case Reason::kTool: return "tool";
    case Reason::kRule: return "rule";
  }
  return "outside";
}

std::optional<Reason> ParseReason(std::string_view name) {
  for (const Reason reason : {Reason::kOutside, Reason::kTool, Reason::kRule}) {
    if (ReasonName(reason) == name) return reason;
  }
  return std::nullopt;
}

bool Question::SameAs(const Question& other) const {
  return session == other.session && actor == other.actor && tool == other.tool &&
         operation == other.operation && reason == other.reason && path == other.path &&
         asked == other.asked && target == other.target && command == other.command &&
         state == other.state && preview == other.preview && object == other.object &&
         directory == other.directory && trusted == other.trusted;
}

bool Question::Offers(Choice choice) const {
  switch (choice) {
    case Choice::kDeny:
    case Choice::kOnce: return true;
    case Choice::kDirectory: return directory.has_value();
    case Choice::kTool: return trusted.has_value();
  }
  return false;
}

}  // namespace cordon::consent
