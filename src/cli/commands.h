// The subcommands. Each adds itself to the program and, when it was the one that
// was asked for, runs after the parse and sets `status`.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cli/report.h"

namespace cordon::cli {

void AddCheckCommand(CLI::App& app, ExitStatus& status);
void AddWhyCommand(CLI::App& app, ExitStatus& status);
void AddConfigCommand(CLI::App& app, ExitStatus& status);
void AddAuditCommand(CLI::App& app, ExitStatus& status);
void AddApproveCommand(CLI::App& app, ExitStatus& status);
void AddFileCommand(CLI::App& app, ExitStatus& status);
void AddToolCommand(CLI::App& app, ExitStatus& status);
void AddMcpCommand(CLI::App& app, ExitStatus& status);
void AddServeCommand(CLI::App& app, ExitStatus& status);
void AddUndoCommand(CLI::App& app, ExitStatus& status);
void AddHookCommand(CLI::App& app, ExitStatus& status);
void AddHistoryCommand(CLI::App& app, ExitStatus& status);
// What stands after "--", as it stands: CLI11 would read brackets and flags of it.
using AfterDashes = std::vector<std::string>;
void AddRunCommand(CLI::App& app, ExitStatus& status, const AfterDashes& after);
void AddLearnCommand(CLI::App& app, ExitStatus& status, const AfterDashes& after);
void AddSandboxCommand(CLI::App& app, ExitStatus& status, const AfterDashes& after);
// Of the whole tree: all others must have been added before it is parsed.
void AddCompletionCommand(CLI::App& app, ExitStatus& status, const AfterDashes& after);
void AddManualCommand(CLI::App& app, ExitStatus& status);
void AddDoctorCommand(CLI::App& app, ExitStatus& status);
void AddShellExplainCommand(CLI::App& app, ExitStatus& status);

}  // namespace cordon::cli
