#include "hook/tool_table.h"

namespace cordon::hook {
namespace {

using policy::ToolKind;

constexpr Field kCommand[] = {{"command", Role::kCommand},
                              {"cmd", Role::kCommand},
                              {"workdir", Role::kWorkingDirectory},
                              {"cwd", Role::kWorkingDirectory}};
constexpr Field kPatch[] = {
    {"command", Role::kPatch}, {"input", Role::kPatch}, {"patch", Role::kPatch}};
constexpr Field kPath[] = {{"path", Role::kPath}};
constexpr Field kSearch[] = {{"path", Role::kPath}, {"include", Role::kFilter}};
constexpr Field kTyped[] = {{"chars", Role::kTyped}};
constexpr Field kFile[] = {{"file_path", Role::kPath}};
constexpr Field kFolder[] = {{"dir_path", Role::kPath}};

constexpr Tool kTools[] = {
    {"Bash", ToolKind::kShell, Operation::kRead, Needs::kOneOfThem, kCommand},
    {"shell", ToolKind::kShell, Operation::kRead, Needs::kOneOfThem, kCommand},
    {"local_shell", ToolKind::kShell, Operation::kRead, Needs::kOneOfThem, kCommand},
    {"exec_command", ToolKind::kShell, Operation::kRead, Needs::kOneOfThem, kCommand},
    {"apply_patch", ToolKind::kWrite, Operation::kWrite, Needs::kOneOfThem, kPatch},
    {"view_image", ToolKind::kRead, Operation::kRead, Needs::kOneOfThem, kPath},
    {"read_file", ToolKind::kRead, Operation::kRead, Needs::kOneOfThem, kFile},
    {"list_dir", ToolKind::kRead, Operation::kList, Needs::kOneOfThem, kFolder},
    {"grep_files", ToolKind::kRead, Operation::kRead, Needs::kNothing, kSearch},
    // With nothing to type it only waits.
    {"write_stdin", ToolKind::kShell, Operation::kRead, Needs::kNothing, kTyped},
};

}  // namespace

std::span<const Tool> CodexTools() { return kTools; }

}  // namespace cordon::hook
