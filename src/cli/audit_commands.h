// The subcommands of `cordon audit`; see commands.h.
#pragma once

#include <CLI/CLI.hpp>

#include "cli/report.h"

namespace cordon::cli {

void AddAuditTail(CLI::App& audit, ExitStatus& status);
void AddAuditQuery(CLI::App& audit, ExitStatus& status);
void AddAuditVerify(CLI::App& audit, ExitStatus& status);
void AddAuditStats(CLI::App& audit, ExitStatus& status);

}  // namespace cordon::cli
