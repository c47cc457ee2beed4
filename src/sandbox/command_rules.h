// The deny rules as they hold for commands.
#pragma once

#include <vector>

#include "policy/deny_list.h"
#include "sandbox/spec.h"

namespace cordon::sandbox {

// All but those that only tell something.
policy::OperationSet ChangingOperations();

struct CommandRules {
  std::vector<policy::DenyRule> denied;
  GitRules git = GitRules::kNone;
};

// The built-in rule for `.git` keeps tools out of it altogether; commands, git above all,
// must work there, so for them it becomes GitRules::kNoCodeFromRepositories. An
// operator's own rule for `.git` stays as it is. A workspace's `.cordon.toml` can be read
// but not changed.
CommandRules RulesForCommands(std::vector<policy::DenyRule> rules);

}  // namespace cordon::sandbox
