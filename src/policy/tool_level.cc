#include "policy/tool_level.h"

#include <algorithm>

namespace cordon::policy {
namespace {

ToolLevel DefaultLevel(Profile profile, ToolKind kind) {
  // Without somebody to ask, asking would only be another word for refusing.
  if (RulesOf(profile).outside != OutsideAccess::kAsk) return ToolLevel::kAllow;
  switch (kind) {
    case ToolKind::kRead: return ToolLevel::kAllow;
    case ToolKind::kWrite: return ToolLevel::kSession;
    case ToolKind::kDelete:
    case ToolKind::kShell: return ToolLevel::kAlways;
  }
  return ToolLevel::kDeny;
}

}  // namespace

std::string_view ToolKindName(ToolKind kind) {
  switch (kind) {
    case ToolKind::kRead: return "read";
    case ToolKind::kWrite: return "write";
    case ToolKind::kDelete: return "delete";
    case ToolKind::kShell: return "shell";
  }
  return "";
}

std::optional<ToolKind> ParseToolKind(std::string_view name) {
  for (const ToolKind kind :
       {ToolKind::kRead, ToolKind::kWrite, ToolKind::kDelete, ToolKind::kShell}) {
    if (ToolKindName(kind) == name) return kind;
  }
  return std::nullopt;
}

std::string_view ToolLevelName(ToolLevel level) {
  switch (level) {
    case ToolLevel::kAllow: return "allow";
    case ToolLevel::kSession: return "session";
    case ToolLevel::kAlways: return "always";
    case ToolLevel::kDeny: return "deny";
  }
  return "";
}

std::optional<ToolLevel> ParseToolLevel(std::string_view name) {
  for (const ToolLevel level :
       {ToolLevel::kAllow, ToolLevel::kSession, ToolLevel::kAlways, ToolLevel::kDeny}) {
    if (ToolLevelName(level) == name) return level;
  }
  return std::nullopt;
}

ToolLevel LevelOf(Profile profile, const std::vector<ToolRule>& rules,
                  const std::vector<ToolRule>& narrowing, std::string_view tool, ToolKind kind) {
  ToolLevel level = DefaultLevel(profile, kind);
  std::optional<ToolLevel> by_name;
  for (const ToolRule& rule : rules) {
    if (rule.name == tool) {
      by_name = rule.level;
    } else if (rule.name == ToolKindName(kind)) {
      level = rule.level;
    }
  }
  level = by_name.value_or(level);
  for (const ToolRule& rule : narrowing) {
    if (rule.name == tool || rule.name == ToolKindName(kind)) level = std::max(level, rule.level);
  }
  return level;
}

}  // namespace cordon::policy
