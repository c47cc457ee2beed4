#include "hook/tool_table.h"

namespace cordon::hook {
namespace {

using policy::ToolKind;

constexpr Field kShellEvent[] = {{"command", Role::kCommand}, {"cwd", Role::kWorkingDirectory}};
constexpr Field kReadEvent[] = {{"file_path", Role::kPath}, {"attachments", Role::kNested}};
constexpr Field kCommand[] = {{"command", Role::kCommand},
                              {"working_directory", Role::kWorkingDirectory},
                              {"cwd", Role::kWorkingDirectory}};
// Its versions do not agree on the name.
constexpr Field kFile[] = {
    {"file_path", Role::kPath}, {"path", Role::kPath}, {"target_file", Role::kPath}};
constexpr Field kNotebook[] = {{"target_notebook", Role::kPath}, {"notebook_path", Role::kPath}};
constexpr Field kFolder[] = {{"path", Role::kPath}, {"target_directory", Role::kPath}};
constexpr Field kSearch[] = {{"path", Role::kPath},
                             {"target_directory", Role::kPath},
                             {"glob", Role::kFilter},
                             {"include_pattern", Role::kFilter}};
constexpr Field kGlob[] = {{"target_directory", Role::kPath},
                           {"path", Role::kPath},
                           {"glob_pattern", Role::kPattern},
                           {"pattern", Role::kPattern}};

constexpr Tool kTools[] = {
    {"beforeShellExecution", ToolKind::kShell, Operation::kRead, Needs::kOneOfThem, kShellEvent},
    {"beforeReadFile", ToolKind::kRead, Operation::kRead, Needs::kOneOfThem, kReadEvent},
    {"beforeTabFileRead", ToolKind::kRead, Operation::kRead, Needs::kOneOfThem, kReadEvent},
    {"Shell", ToolKind::kShell, Operation::kRead, Needs::kOneOfThem, kCommand},
    {"Read", ToolKind::kRead, Operation::kRead, Needs::kOneOfThem, kFile},
    {"Write", ToolKind::kWrite, Operation::kWrite, Needs::kOneOfThem, kFile},
    {"Edit", ToolKind::kWrite, Operation::kWrite, Needs::kOneOfThem, kFile},
    {"StrReplace", ToolKind::kWrite, Operation::kWrite, Needs::kOneOfThem, kFile},
    {"EditNotebook", ToolKind::kWrite, Operation::kWrite, Needs::kOneOfThem, kNotebook},
    {"Delete", ToolKind::kDelete, Operation::kDelete, Needs::kOneOfThem, kFile},
    {"Grep", ToolKind::kRead, Operation::kRead, Needs::kNothing, kSearch},
    {"LS", ToolKind::kRead, Operation::kList, Needs::kOneOfThem, kFolder},
    {"Glob", ToolKind::kRead, Operation::kList, Needs::kOneOfThem, kGlob},
};

}  // namespace

std::span<const Tool> CursorTools() { return kTools; }

}  // namespace cordon::hook
