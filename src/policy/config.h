// The configuration file: TOML text in, settings or an exact error out. No I/O.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cordon/result.h"
#include "policy/command_rule.h"
#include "policy/deny_list.h"
#include "policy/profile.h"
#include "policy/tool_level.h"

namespace cordon::policy {

// Whose file it is. A workspace's own file travels with untrusted content, so it
// may only narrow: what could widen the boundary is an error there.
enum class ConfigScope { kOperator, kWorkspace };

// What one file says; unset means "not mentioned".
struct Config {
  std::optional<Profile> profile;
  std::string profile_position;              // "FILE:LINE:COLUMN" of its value, if set
  std::vector<std::string> roots;            // operator only
  std::vector<std::string> read_only_roots;  // operator only
  std::optional<std::string> data_dir;       // operator only
  std::optional<std::vector<std::string>>
      deny_sets;                      // operator only; names: "default", "credentials"
  std::vector<DenyRule> deny;         // both
  std::vector<ToolRule> tools;        // both; a workspace's only narrow
  std::vector<CommandRule> commands;  // both; a workspace's never allow
  std::optional<bool> read_only;      // both; workspace only to true
};

// Errors: kInvalidArguments; `detail` begins "FILE:LINE:COLUMN: " and names the
//   key, what was found and what would be right; of several mistakes it is the
//   first in the file. Unknown keys are errors, as are empty texts, NUL, repeated
//   entries, a `data_dir` that is not absolute, and bad patterns.
Result<Config> ParseConfig(std::string_view toml, std::string_view file_name, ConfigScope scope);

// JSON Schema (2020-12) of the operator's file, from the same declaration that
// ParseConfig checks against.
std::string ConfigSchema();

// The keys as Markdown tables, from the same declaration; scripts/policy_reference.py puts them
// into docs/policy.md.
std::string ConfigReference();

}  // namespace cordon::policy
