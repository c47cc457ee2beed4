// How far each tool is trusted: goes ahead, asks, or never.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cordon/operation.h"
#include "policy/profile.h"

namespace cordon::policy {

// What a tool does, at most.
enum class ToolKind { kRead, kWrite, kDelete, kShell };
std::string_view ToolKindName(ToolKind kind);  // "read", "write", "delete", "shell"
std::optional<ToolKind> ParseToolKind(std::string_view name);

// From wide to narrow.
enum class ToolLevel {
  kAllow,    // goes ahead
  kSession,  // asks; the person may trust it for the session
  kAlways,   // asks every time
  kDeny,     // never
};
std::string_view ToolLevelName(ToolLevel level);  // "allow", "session", "always", "deny"
std::optional<ToolLevel> ParseToolLevel(std::string_view name);

// One `[[tool]]` of a configuration file.
struct ToolRule {
  std::string name;  // a tool, or a kind of tool
  ToolLevel level = ToolLevel::kAlways;
  std::string origin;
};

// What holds for `tool`. An operator's rule by name beats one by kind, which beats
// the profile: under `interactive` reads go ahead, writes ask once for the session,
// delete and shell ask every time; the other profiles have nobody to ask and leave
// it to the boundary. `narrowing` rules, a workspace's own, only make it narrower.
ToolLevel LevelOf(Profile profile, const std::vector<ToolRule>& rules,
                  const std::vector<ToolRule>& narrowing, std::string_view tool, ToolKind kind);

}  // namespace cordon::policy
