// cordon tool: one call of a tool from the shell, or a batch of them.
#include <boost/json/parse.hpp>
#include <iostream>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/printable.h"
#include "base/try.h"
#include "cli/command_flags.h"
#include "cli/commands.h"
#include "cli/companion.h"
#include "cli/find_menu.h"
#include "cli/guard_flags.h"
#include "cli/json_output.h"
#include "cli/open_guard.h"
#include "cli/tool_batch.h"
#include "tools/menu.h"

namespace cordon::cli {
namespace {

namespace json = boost::json;

struct ToolFlags {
  GuardFlags guard;
  CommandFlags command;
  std::optional<std::string> name;
  std::optional<std::string> arguments;
  std::optional<std::string> dialect;
  bool list = false;
  bool batch = false;
  bool text = false;
};

Result<json::object> ArgumentsOf(const ToolFlags& flags) {
  std::string text = flags.arguments.value_or("{}");
  if (text == "-") {
    text.assign(std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>());
  }
  json::error_code failed;
  const json::value value = json::parse(text, failed);
  if (failed || !value.is_object()) return UsageError("--json: this is not a JSON object");
  return value.as_object();
}

void PrintDeclarations(const tools::Menu& menu) {
  for (const json::object& declaration : menu.Declarations()) {
    std::cout << Serialize(declaration) << '\n';
  }
}

// Without a launcher there are only the file tools.
Result<std::unique_ptr<guard::Guard>> OpenGuardWithCommands(const ToolFlags& flags) {
  TRY_ASSIGN(guard::Guard::Parts parts, OpenGuardParts(flags.guard));
  if (FindLauncher()) {
    TRY_ASSIGN(parts.commands, ParseCommandFlags(flags.command));
  }
  return guard::Guard::Start(std::move(parts));
}

ExitStatus RunOne(const tools::Menu& menu, const ToolFlags& flags) {
  const Result<json::object> arguments = ArgumentsOf(flags);
  if (!arguments) return ReportSetupError(arguments.error(), OutputFormat::kJson);
  if (menu.Behind(*flags.name) == nullptr) {
    return ReportSetupError(UsageError("there is no tool " + Quoted(*flags.name) +
                                       "; 'cordon tool --list' shows those there are"),
                            OutputFormat::kJson);
  }
  const Result<std::unique_ptr<guard::Guard>> guard = OpenGuardWithCommands(flags);
  if (!guard) return ReportSetupError(guard.error(), OutputFormat::kJson);
  tools::CallOptions options;
  if (flags.text) options.wanted = tools::Wanted::kText;
  tools::Served served = menu.Call(*flags.name, *arguments, **guard, options);
  const ExitStatus status =
      served.outcome ? ExitStatus::kDone : StatusOfRefusal(served.outcome.error().error);
  if (flags.text) {
    (served.outcome ? std::cout : std::cerr)
        << served.text << (served.text.ends_with('\n') ? "" : "\n");
  } else {
    std::cout << Serialize(ServedObject(std::move(served))) << '\n';
  }
  return status;
}

ExitStatus Run(const ToolFlags& flags) {
  const Result<const tools::Menu*> menu = FindMenu(flags.dialect);
  if (!menu) return ReportSetupError(menu.error(), OutputFormat::kJson);
  if (flags.list) {
    PrintDeclarations(**menu);
    return ExitStatus::kDone;
  }
  if (flags.batch) {
    const Result<std::unique_ptr<guard::Guard>> guard = OpenGuardWithCommands(flags);
    if (!guard) return ReportSetupError(guard.error(), OutputFormat::kJson);
    return RunToolBatch(**menu, **guard, std::cin, std::cout);
  }
  if (flags.name) return RunOne(**menu, flags);
  return ReportSetupError(UsageError("name a tool, or use --list or --batch"), OutputFormat::kJson);
}

}  // namespace

void AddToolCommand(CLI::App& app, ExitStatus& status) {
  const auto flags = std::make_shared<ToolFlags>();
  CLI::App& command = *app.add_subcommand(
      "tool", "Call a tool as an agent does: decided, asked about where needed, recorded.");
  AddText(command, "NAME", flags->name, "The tool");
  AddGuardFlags(command, flags->guard);
  AddCommandFlags(command, flags->command);
  AddText(command, "--json", flags->arguments,
          "Its arguments, a JSON object; - reads them from "
          "stdin")
      ->type_name("ARGUMENTS");
  AddText(command, "--dialect", flags->dialect, "Names, parameters and texts of another agent")
      ->type_name("NAME");
  command.add_flag("--list", flags->list, "Print every tool with its schemas, one JSON a line");
  command.add_flag("--batch", flags->batch,
                   "One call a line from stdin, {\"id\", \"tool\", \"arguments\"}: one session");
  command.add_flag("--text", flags->text, "Print what a model would be told instead of JSON");
  command.footer(
      "Example:\n"
      "  cordon tool read_file --root ~/project --json '{\"path\": \"README.md\"}'");
  command.callback([flags, &status] { status = Run(*flags); });
}

}  // namespace cordon::cli
