// cordon audit: what was done, and whether the record of it is whole.
#include "cli/audit_commands.h"
#include "cli/commands.h"

namespace cordon::cli {

void AddAuditCommand(CLI::App& app, ExitStatus& status) {
  CLI::App& command =
      *app.add_subcommand("audit", "Show, search and verify the log of what agents did.");
  command.require_subcommand(1);
  AddAuditTail(command, status);
  AddAuditQuery(command, status);
  AddAuditVerify(command, status);
  AddAuditStats(command, status);
  command.footer(
      "Exit status: 0 done, 1 verify found damage, 2 usage error or no log, 3 it cannot be read.\n"
      "Examples:\n"
      "  cordon audit tail -f\n"
      "  cordon audit query --since 2h --decision denied\n"
      "  cordon audit verify");
}

}  // namespace cordon::cli
