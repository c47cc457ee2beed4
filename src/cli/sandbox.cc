// cordon sandbox: the sandboxes of a running `cordon serve`.
#include "cli/sandbox_commands.h"

namespace cordon::cli {

void AddSandboxCommand(CLI::App& app, ExitStatus& status, const AfterDashes& after) {
  CLI::App& command = *app.add_subcommand("sandbox", "Sandboxes of a running 'cordon serve'.");
  command.require_subcommand(1);
  AddSandboxCreate(command, status);
  AddSandboxList(command, status);
  AddSandboxExec(command, status, after);
  AddSandboxShell(command, status, after);
  AddSandboxCp(command, status);
  AddSandboxLogs(command, status);
  AddSandboxStats(command, status);
  AddSandboxRm(command, status);
  command.footer(
      "A sandbox is named by its id, or by the beginning of it that no other has.\n"
      "The server is the one that runs on the usual state directory, unless --server or\n"
      "CORDON_SERVER names another; CORDON_TOKEN has the API token if the server's own is not\n"
      "to be used.\n"
      "Examples:\n"
      "  id=$(cordon sandbox create)\n"
      "  cordon sandbox cp . $id:project\n"
      "  cordon sandbox exec $id -- make -C project test\n"
      "  cordon sandbox shell $id\n"
      "  cordon sandbox rm $id");
}

}  // namespace cordon::cli
