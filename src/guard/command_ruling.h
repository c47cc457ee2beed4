// What a boundary's rules on commands say of one.
#pragma once

#include <optional>
#include <string>

#include "guard/command.h"
#include "policy/settings.h"
#include "shell/command_rules.h"

namespace cordon::guard {

// Nothing: no rule has an opinion, or protection is off. No rule allows a command that is given
// variables of its own: they may change what its words mean.
std::optional<shell::CommandVerdict> RulingOn(const policy::Settings& settings,
                                              const CommandTerms& terms);

// "a rule denies this command: REASON (rule command:git push, config.toml:12)"
std::string Explained(const shell::CommandVerdict& verdict);

// kCommandBlocked, by the rule.
Error Blocked(const shell::CommandVerdict& verdict);

}  // namespace cordon::guard
