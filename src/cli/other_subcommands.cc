#include "cli/program.h"

namespace cordon::cli {
namespace {

constexpr Subcommand kOther[] = {
    {"why", AddOf<AddWhyCommand>},         {"config", AddOf<AddConfigCommand>},
    {"file", AddOf<AddFileCommand>},       {"tool", AddOf<AddToolCommand>},
    {"mcp", AddOf<AddMcpCommand>},         {"serve", AddOf<AddServeCommand>},
    {"sandbox", AddSandboxCommand},        {"undo", AddOf<AddUndoCommand>},
    {"history", AddOf<AddHistoryCommand>}, {"audit", AddOf<AddAuditCommand>},
    {"approve", AddOf<AddApproveCommand>}, {"learn", AddLearnCommand},
    {"doctor", AddOf<AddDoctorCommand>},   {"shell-explain", AddOf<AddShellExplainCommand>},
    {kCompletion, AddCompletionCommand},   {kManual, AddOf<AddManualCommand>},
};

}  // namespace

std::span<const Subcommand> OtherSubcommands() { return kOther; }

}  // namespace cordon::cli
