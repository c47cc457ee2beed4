#include "guard/command_ruling.h"

#include "shell/quoting.h"

namespace cordon::guard {

std::optional<shell::CommandVerdict> RulingOn(const policy::Settings& settings,
                                              const CommandTerms& terms) {
  if (settings.commands.empty() || settings.protection == policy::Protection::kOff) {
    return std::nullopt;
  }
  const std::string line = terms.line.empty() ? shell::QuotedLine(terms.arguments) : terms.line;
  auto verdict = shell::JudgeByRules(shell::Explain(line), settings.commands);
  if (verdict && verdict->action == policy::CommandAction::kAllow && !terms.environment.empty()) {
    return std::nullopt;
  }
  return verdict;
}

std::string Explained(const shell::CommandVerdict& verdict) {
  return verdict.Why() + " (rule " + verdict.rule.name() + ", " + verdict.rule.origin + ")";
}

Error Blocked(const shell::CommandVerdict& verdict) {
  Error error;
  error.code = ErrorCode::kCommandBlocked;
  error.op = "run";
  error.rule = verdict.rule.name();
  error.detail = verdict.Why();
  return error;
}

}  // namespace cordon::guard
