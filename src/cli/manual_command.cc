// cordon manual: the manual pages, for whoever installs them.
#include <iostream>
#include <memory>

#include "base/printable.h"
#include "cli/commands.h"
#include "cli/common_flags.h"
#include "cli/manual.h"
#include "cordon/version.h"

namespace cordon::cli {
namespace {

struct ManualFlags {
  std::optional<std::string> page;
  bool list = false;
};

ExitStatus Print(const CLI::App& program, const ManualFlags& flags) {
  const std::string wanted = flags.page.value_or(program.get_name());
  for (const CLI::App* command : DocumentedCommands(program)) {
    if (flags.list) std::cout << PageName(*command) << '\t' << CommandWords(*command) << '\n';
    if (flags.list || PageName(*command) != wanted) continue;
    std::cout << ManualPage(*command, CORDON_VERSION);
    return ExitStatus::kDone;
  }
  if (flags.list) return ExitStatus::kDone;
  return ReportSetupError(
      UsageError("there is no page " + Quoted(wanted) + "; 'cordon manual --list' has them all"),
      OutputFormat::kText);
}

}  // namespace

void AddManualCommand(CLI::App& app, ExitStatus& status) {
  const auto flags = std::make_shared<ManualFlags>();
  CLI::App& command =
      *app.add_subcommand("manual", "Print a manual page, in the language of man(7).");
  AddText(command, "PAGE", flags->page, "Such as cordon-run; default cordon")->type_name("");
  command.add_flag("--list", flags->list, "Name the pages, each with its command");
  command.footer("Example:\n  cordon manual cordon-run | man -l -");
  command.callback([flags, &app, &status] { status = Print(app, *flags); });
}

}  // namespace cordon::cli
