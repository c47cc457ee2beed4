// Rules on command lines: what may be run, what a person is asked about, what never.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cordon/result.h"

namespace cordon::policy {

// How grave what a command would do is.
enum class Risk { kLow, kMedium, kHigh };
std::string_view RiskName(Risk risk);  // "low", "medium", "high"
std::optional<Risk> ParseRisk(std::string_view name);

// From wide to narrow: of several rules the narrowest counts.
enum class CommandAction {
  kAllow,  // nobody is asked
  kAsk,
  kDeny,
};
std::string_view CommandActionName(CommandAction action);  // "allow", "ask", "deny"
std::optional<CommandAction> ParseCommandAction(std::string_view name);

// One `[[command]]` of a configuration file; what is empty or unset does not matter to it.
// All that is set must hold of one program; docs/policy.md says how each is compared.
struct CommandRule {
  CommandAction action = CommandAction::kDeny;
  std::string program;                 // a pattern for its name, or with "/" for its path
  std::vector<std::string> arguments;  // patterns
  std::string host;                    // "example.org" or "*.example.org"
  std::string writes;                  // a pattern for a path, as in `[[deny]]`
  std::optional<Risk> risk;
  std::string reason;  // for the person and the model
  std::string origin;  // "config.toml:12"

  // As it stands in records: "command:git push --force".
  std::string name() const;
};

// Whether what the rule says can mean something: patterns, the host, and what an action needs.
// Errors: kInvalidArguments, with the key in `component`.
Status CheckCommandRule(const CommandRule& rule);

}  // namespace cordon::policy
