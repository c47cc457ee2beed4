#include "hook/tool_table.h"

namespace cordon::hook {
namespace {

using policy::ToolKind;

constexpr Field kFile[] = {{"file_path", Role::kPath}};
constexpr Field kNotebook[] = {{"notebook_path", Role::kPath}};
constexpr Field kFolder[] = {{"path", Role::kPath}};
constexpr Field kGlob[] = {{"path", Role::kPath}, {"pattern", Role::kPattern}};
constexpr Field kSearch[] = {{"path", Role::kPath}, {"glob", Role::kFilter}};
constexpr Field kCommand[] = {{"command", Role::kCommand}};

constexpr Tool kTools[] = {
    {"Read", ToolKind::kRead, Operation::kRead, Needs::kOneOfThem, kFile},
    {"NotebookRead", ToolKind::kRead, Operation::kRead, Needs::kOneOfThem, kNotebook},
    {"Write", ToolKind::kWrite, Operation::kWrite, Needs::kOneOfThem, kFile},
    {"Edit", ToolKind::kWrite, Operation::kWrite, Needs::kOneOfThem, kFile},
    {"MultiEdit", ToolKind::kWrite, Operation::kWrite, Needs::kOneOfThem, kFile},
    {"NotebookEdit", ToolKind::kWrite, Operation::kWrite, Needs::kOneOfThem, kNotebook},
    {"Glob", ToolKind::kRead, Operation::kList, Needs::kOneOfThem, kGlob},
    // Its "pattern" is a regular expression.
    {"Grep", ToolKind::kRead, Operation::kRead, Needs::kNothing, kSearch},
    {"LS", ToolKind::kRead, Operation::kList, Needs::kOneOfThem, kFolder},
    {"Bash", ToolKind::kShell, Operation::kRead, Needs::kOneOfThem, kCommand},
    {"Monitor", ToolKind::kShell, Operation::kRead, Needs::kOneOfThem, kCommand},
};

}  // namespace

std::span<const Tool> ClaudeTools() { return kTools; }

}  // namespace cordon::hook
