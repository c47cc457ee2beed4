#include "hook/added_rules.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hook/settings.h"

namespace cordon::hook {
namespace {

policy::OperationSet Changes() {
  policy::OperationSet operations = policy::AllOperations();
  for (const Operation operation : {Operation::kRead, Operation::kList, Operation::kStat}) {
    operations.reset(static_cast<std::size_t>(operation));
  }
  return operations;
}

}  // namespace

void ProtectAgentSettings(policy::Settings& settings) {
  for (const Agent agent : {Agent::kClaude, Agent::kCodex, Agent::kGemini, Agent::kCursor}) {
    for (const std::string_view file : FilesOverHooks(agent)) {
      policy::DenyRule rule;
      rule.pattern = "**/";
      rule.pattern += file;
      rule.operations = Changes();
      rule.reason = "it decides which hooks an agent runs";
      rule.origin = "hook";
      settings.deny.push_back(std::move(rule));
    }
  }
}

bool IsDefaultGitRule(const policy::DenyRule& rule) {
  return rule.pattern == ".git" && rule.origin == "default";
}

policy::Settings SettingsInGit(policy::Settings settings) {
  const std::size_t before = settings.deny.size();
  std::erase_if(settings.deny, IsDefaultGitRule);
  if (settings.deny.size() == before) return settings;
  // A repository of a submodule or a worktree has them further down.
  for (const std::string_view name :
       {"hooks", "config", "config.worktree", "commondir", "gitdir"}) {
    policy::DenyRule rule;
    rule.pattern = "**/.git/**/";
    rule.pattern += name;
    rule.reason = "git runs what it says, or what it leads to";
    rule.origin = "hook";
    settings.deny.push_back(std::move(rule));
  }
  return settings;
}

}  // namespace cordon::hook
