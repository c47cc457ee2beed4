// cordon sandbox: what each of its subcommands adds.
#pragma once

#include <CLI/CLI.hpp>

#include "cli/commands.h"

namespace cordon::cli {

void AddSandboxCreate(CLI::App& sandbox, ExitStatus& status);
void AddSandboxList(CLI::App& sandbox, ExitStatus& status);
void AddSandboxExec(CLI::App& sandbox, ExitStatus& status, const AfterDashes& after);
void AddSandboxShell(CLI::App& sandbox, ExitStatus& status, const AfterDashes& after);
void AddSandboxCp(CLI::App& sandbox, ExitStatus& status);
void AddSandboxLogs(CLI::App& sandbox, ExitStatus& status);
void AddSandboxStats(CLI::App& sandbox, ExitStatus& status);
void AddSandboxRm(CLI::App& sandbox, ExitStatus& status);

// The status of exec and shell when the program itself could not be had, as `docker exec` has it:
// apart from those of programs.
inline constexpr auto kNotRun = static_cast<ExitStatus>(125);

}  // namespace cordon::cli
