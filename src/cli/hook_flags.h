// The flags of `cordon hook` and of its installation.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/common_flags.h"
#include "cordon/result.h"
#include "hook/agent.h"

namespace cordon::cli {

struct HookFlags {
  CommonFlags common;
  std::optional<std::string> agent;
  std::optional<std::string> audit_log;
  bool strict = false;
  std::optional<std::string> made;  // a mark of install for uninstall; says nothing here
};

struct HookInstallFlags {
  HookFlags hook;  // what the hook shall be run with
  std::optional<std::string> project;
  std::optional<std::string> program;
  bool user = false;
  bool yes = false;
};

// Errors: kInvalidArguments, naming the agents there are.
Result<hook::Agent> ParseAgentFlag(const std::optional<std::string>& text);

// The flags as arguments of another run, which may start in another directory.
// Errors: kInvalidArguments for a path that is not absolute.
Result<std::vector<std::string>> ArgumentsOf(const HookFlags& flags);

// Ends with what the agent is to read on standard error and a status that denies.
int RunHook(const HookFlags& flags);

ExitStatus RunHookInstall(const HookInstallFlags& flags);
ExitStatus RunHookUninstall(const HookInstallFlags& flags);

}  // namespace cordon::cli
