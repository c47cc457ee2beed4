// What the rules of a configuration say of a command line.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "policy/command_rule.h"
#include "shell/explain.h"

namespace cordon::shell {

struct CommandVerdict {
  policy::CommandAction action = policy::CommandAction::kAsk;
  policy::CommandRule rule;  // that decides: of the narrowest, the first that is sure
  // kPerhaps: the text does not tell whether the rule is met, so a person has to.
  enum class Certainty { kSure, kPerhaps } certainty = Certainty::kSure;

  // Why, in one sentence for the person and the model; may hold untrusted text.
  std::string Why() const;
};

// Nothing: no rule has an opinion.
//
// Guarantees: deny beats ask beats allow. A rule that denies or asks is met by each program that
//   the text would start, through whatever starts it; where that cannot be told, the answer is to
//   ask. Allowed is only what is known whole: every program is covered by a rule that allows, or
//   the whole by one that names but a risk, and nothing is redirected elsewhere.
// Does not guarantee: anything about what programs and scripts do themselves.
std::optional<CommandVerdict> JudgeByRules(const Explanation& explanation,
                                           std::span<const policy::CommandRule> rules);

}  // namespace cordon::shell
