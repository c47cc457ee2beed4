#include "hook/tool_table.h"

namespace cordon::hook {
namespace {

using policy::ToolKind;

// Names of before and after its tools were renamed.
constexpr Field kFile[] = {{"file_path", Role::kPath}, {"absolute_path", Role::kPath}};
constexpr Field kFiles[] = {{"paths", Role::kPattern}, {"include", Role::kPattern}};
constexpr Field kFolder[] = {{"dir_path", Role::kPath}, {"path", Role::kPath}};
constexpr Field kSearch[] = {{"dir_path", Role::kPath},
                             {"path", Role::kPath},
                             {"include", Role::kFilter},
                             {"include_pattern", Role::kFilter}};
constexpr Field kGlob[] = {
    {"dir_path", Role::kPath}, {"path", Role::kPath}, {"pattern", Role::kPattern}};
constexpr Field kCommand[] = {{"command", Role::kCommand},
                              {"dir_path", Role::kWorkingDirectory},
                              {"directory", Role::kWorkingDirectory}};

constexpr Tool kTools[] = {
    {"read_file", ToolKind::kRead, Operation::kRead, Needs::kOneOfThem, kFile},
    {"read_many_files", ToolKind::kRead, Operation::kRead, Needs::kOneOfThem, kFiles},
    {"write_file", ToolKind::kWrite, Operation::kWrite, Needs::kOneOfThem, kFile},
    {"replace", ToolKind::kWrite, Operation::kWrite, Needs::kOneOfThem, kFile},
    {"list_directory", ToolKind::kRead, Operation::kList, Needs::kOneOfThem, kFolder},
    {"glob", ToolKind::kRead, Operation::kList, Needs::kOneOfThem, kGlob},
    {"search_file_content", ToolKind::kRead, Operation::kRead, Needs::kNothing, kSearch},
    {"grep_search", ToolKind::kRead, Operation::kRead, Needs::kNothing, kSearch},
    {"run_shell_command", ToolKind::kShell, Operation::kRead, Needs::kOneOfThem, kCommand},
};

}  // namespace

std::span<const Tool> GeminiTools() { return kTools; }

}  // namespace cordon::hook
