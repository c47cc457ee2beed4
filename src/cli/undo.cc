// cordon undo and cordon history: the two tools for a person at a terminal.
#include <algorithm>
#include <boost/json/object.hpp>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/printable.h"
#include "cli/commands.h"
#include "cli/guard_flags.h"
#include "cli/json_output.h"
#include "cli/open_guard.h"
#include "tools/all.h"
#include "tools/result_object.h"

namespace cordon::cli {
namespace {

namespace json = boost::json;

struct UndoFlags {
  GuardFlags guard;
  std::optional<std::string> steps;
  std::optional<std::string> operation;
  std::optional<std::string> limit;
  bool dry_run = false;
};

void PrintFailure(const tools::Failure& failure) {
  std::cerr << "cordon: " << failure.error.Message(failure.requested) << " ("
            << ErrorCodeName(failure.error.code) << ")\n";
  const json::value* const diff = failure.data.if_contains("diff");
  if (diff != nullptr && diff->is_string()) {
    // Line by line: a file's bytes must not command the terminal.
    std::string_view rest = diff->as_string();
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      std::cerr << Printable(rest.substr(0, end), end) << '\n';
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
}

ExitStatus RunTool(const tools::Tool& tool, const GuardFlags& flags,
                   const json::object& arguments) {
  const OutputFormat format = flags.common.format();
  const Result<std::unique_ptr<guard::Guard>> guard = OpenGuard(flags);
  if (!guard) return ReportSetupError(guard.error(), format);
  const tools::Outcome outcome = tools::Run(tool, **guard, arguments);
  if (format == OutputFormat::kJson) {
    std::cout << Serialize(tools::ResultObject(outcome)) << '\n';
  } else if (outcome) {
    std::cout << outcome->text << '\n';
  } else {
    PrintFailure(outcome.error());
  }
  return outcome ? ExitStatus::kDone : StatusOfRefusal(outcome.error().error);
}

void Add(json::object& arguments, std::string_view name, const std::optional<std::string>& text) {
  if (text) arguments[name] = *text;
}

// Elsewhere --session names the session that does something; here, the one that did.
CLI::Option* NameTheirSession(CLI::App& command, const char* help) {
  return command.get_option("--session")->description(help)->group("Options");
}

}  // namespace

void AddUndoCommand(CLI::App& app, ExitStatus& status) {
  const auto flags = std::make_shared<UndoFlags>();
  CLI::App& command =
      *app.add_subcommand("undo", "Take back what agents changed; see 'cordon history'");
  AddGuardFlags(command, flags->guard);
  AddJsonFlag(command, flags->guard.common);
  CLI::Option* const steps = AddText(command, "--steps", flags->steps,
                                     "The last N operations in this workspace; default 1")
                                 ->type_name("N");
  CLI::Option* const operation = AddText(command, "--operation", flags->operation, "That operation")
                                     ->type_name("ID")
                                     ->excludes(steps);
  NameTheirSession(command, "Everything that session did")->excludes(steps)->excludes(operation);
  command.add_flag("--dry-run", flags->dry_run, "Only tell what would be undone");
  command.footer("Example:\n  cordon undo --root ~/project --steps 3 --dry-run");
  command.callback([flags, &status] {
    json::object arguments;
    Add(arguments, "steps", flags->steps);
    Add(arguments, "operation", flags->operation);
    // Theirs; this one's name is found for it.
    Add(arguments, "session", std::exchange(flags->guard.session, std::nullopt));
    if (flags->dry_run) arguments["dry_run"] = true;
    status = RunTool(tools::kUndo, flags->guard, arguments);
  });
}

void AddHistoryCommand(CLI::App& app, ExitStatus& status) {
  const auto flags = std::make_shared<UndoFlags>();
  CLI::App& command =
      *app.add_subcommand("history", "What agents changed in this workspace, newest first");
  AddGuardFlags(command, flags->guard);
  AddJsonFlag(command, flags->guard.common);
  NameTheirSession(command, "Only what that session did");
  AddText(command, "--limit", flags->limit, "How many; default 50")->type_name("N");
  command.footer("Example:\n  cordon history --root ~/project --limit 10");
  command.callback([flags, &status] {
    json::object arguments;
    // Theirs; this one's name is found for it.
    Add(arguments, "session", std::exchange(flags->guard.session, std::nullopt));
    Add(arguments, "limit", flags->limit);
    status = RunTool(tools::kHistory, flags->guard, arguments);
  });
}

}  // namespace cordon::cli
