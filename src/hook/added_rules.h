// Deny rules that a hook adds to those of the configuration.
#pragma once

#include "policy/settings.h"

namespace cordon::hook {

// Files of any agent, at any depth, that can switch hooks off: not to be changed.
void ProtectAgentSettings(policy::Settings& settings);

// The settings that commands are held against below a ".git": the default rule for it gives
// way to one for each of its files that make programs run, at any depth in it.
policy::Settings SettingsInGit(policy::Settings settings);

// Whether it is that default rule; somebody else's of the same name stays as it is.
bool IsDefaultGitRule(const policy::DenyRule& rule);

}  // namespace cordon::hook
