#include "policy/command_rule.h"

#include <utility>

#include "base/try.h"
#include "policy/deny_list.h"
#include "policy/host_name.h"
#include "policy/pattern.h"

namespace cordon::policy {
namespace {

Error Mistake(std::string_view key, std::string detail) {
  Error error;
  error.code = ErrorCode::kInvalidArguments;
  error.op = "read rule";
  error.component = key;
  error.detail = std::move(detail);
  return error;
}

Status CheckNamePattern(std::string_view key, const std::string& pattern) {
  const Result<NamePattern> compiled = NamePattern::Compile(pattern);
  if (!compiled) return Mistake(key, compiled.error().detail);
  return {};
}

Status CheckHost(std::string_view host) {
  if (host.empty()) return {};
  if (host.starts_with("*.")) host.remove_prefix(2);
  const HostReading reading = ReadHost(host);
  if (const auto* const why = std::get_if<std::string_view>(&reading)) {
    return Mistake("host", std::string(*why) + "; write \"example.org\" or \"*.example.org\"");
  }
  return {};
}

Status CheckWrites(std::string_view pattern) {
  if (pattern.empty()) return {};
  DenyRule rule;
  rule.pattern = pattern.starts_with("~/") ? pattern.substr(1) : pattern;
  const Result<DenyList> compiled = DenyList::Compile({std::move(rule)});
  if (!compiled) return Mistake("writes", compiled.error().detail);
  return {};
}

}  // namespace

std::string_view RiskName(Risk risk) {
  switch (risk) {
    case Risk::kLow: return "low";
    case Risk::kMedium: return "medium";
    case Risk::kHigh: return "high";
  }
  return "high";
}

std::optional<Risk> ParseRisk(std::string_view name) {
  for (const Risk risk : {Risk::kLow, Risk::kMedium, Risk::kHigh}) {
    if (RiskName(risk) == name) return risk;
  }
  return std::nullopt;
}

std::string_view CommandActionName(CommandAction action) {
  switch (action) {
    case CommandAction::kAllow: return "allow";
    case CommandAction::kAsk: return "ask";
    case CommandAction::kDeny: return "deny";
  }
  return "deny";
}

std::optional<CommandAction> ParseCommandAction(std::string_view name) {
  for (const CommandAction action :
       {CommandAction::kAllow, CommandAction::kAsk, CommandAction::kDeny}) {
    if (CommandActionName(action) == name) return action;
  }
  return std::nullopt;
}

std::string CommandRule::name() const {
  std::string text = "command:";
  const auto add = [&text](std::string_view label, std::string_view value) {
    if (value.empty()) return;
    if (!text.ends_with(':')) text += ' ';
    text.append(label).append(value);
  };
  add("", program);
  for (const std::string& argument : arguments) add("", argument);
  add("host=", host);
  add("writes=", writes);
  if (risk) add("risk=", RiskName(*risk));
  return text;
}

Status CheckCommandRule(const CommandRule& rule) {
  if (!rule.program.empty()) TRY(CheckNamePattern("program", rule.program));
  for (const std::string& argument : rule.arguments) TRY(CheckNamePattern("arguments", argument));
  TRY(CheckHost(rule.host));
  TRY(CheckWrites(rule.writes));
  const bool says = !rule.program.empty() || !rule.host.empty() || !rule.writes.empty();
  if (!says && rule.arguments.empty() && !rule.risk) {
    return Mistake("action",
                   "it would cover every command; give \"program\", \"host\", \"writes\" or "
                   "\"risk\"");
  }
  if (!rule.arguments.empty() && rule.program.empty()) {
    return Mistake("arguments", "whose they are must be said, too; give \"program\"");
  }
  if (rule.action == CommandAction::kAllow && !rule.host.empty() && rule.program.empty()) {
    return Mistake("host", "what may connect there must be said, too; give \"program\"");
  }
  return {};
}

}  // namespace cordon::policy
