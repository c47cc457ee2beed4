#include "sandbox/command_rules.h"

#include <utility>

namespace cordon::sandbox {

policy::OperationSet ChangingOperations() {
  policy::OperationSet operations = policy::AllOperations();
  for (const Operation operation : {Operation::kRead, Operation::kList, Operation::kStat}) {
    operations.reset(static_cast<std::size_t>(operation));
  }
  return operations;
}

CommandRules RulesForCommands(std::vector<policy::DenyRule> rules) {
  CommandRules result;
  for (policy::DenyRule& rule : rules) {
    if (rule.pattern == ".git" && rule.origin == "default") {
      result.git = GitRules::kNoCodeFromRepositories;
    } else {
      result.denied.push_back(std::move(rule));
    }
  }
  policy::DenyRule own;
  own.pattern = ".cordon.toml";
  own.reason = "it narrows what agents may do here";
  own.origin = "cordon";
  own.operations = ChangingOperations();
  result.denied.push_back(std::move(own));
  return result;
}

}  // namespace cordon::sandbox
