#include "cli/program.h"

#include <algorithm>
#include <exception>
#include <iostream>
#include <string>

#include "base/printable.h"
#include "cordon/version.h"

namespace cordon::cli {
namespace {

constexpr const char* kFooter =
    "Examples:\n"
    "  cordon check --root ~/project --op write src/main.cc    is this allowed?\n"
    "  cordon check --root ~/project --json ../secrets         the same, for a program\n"
    "  cordon why   --root ~/project link/.env                 which rule decides, step by step\n"
    "  cordon config show                                      what is in force, and from where\n"
    "  cordon config schema                                    JSON Schema of config.toml\n"
    "  cordon file read --root ~/project README.md             as an agent would, recorded\n"
    "  cordon tool --list                                      the tools agents are given\n"
    "  cordon mcp ~/project                                    serve them to an MCP client\n"
    "  cordon serve                                            a sandbox for each conversation\n"
    "  cordon sandbox shell ID                                 a terminal in one of them\n"
    "  cordon audit tail -f                                    what agents do, as they do it\n"
    "  cordon audit query --since 2h --decision denied         what was refused lately\n"
    "  cordon audit verify                                     is the log as it was written?\n"
    "  cordon history --root ~/project                         what agents changed\n"
    "  cordon undo --root ~/project --steps 3                  take back the last three\n"
    "  cordon approve                                          answer what tools elsewhere ask\n"
    "  cordon hook install --agent claude                      have an agent ask before it acts\n"
    "  cordon run --root ~/project -- npm test                 any program behind the line\n"
    "  cordon learn --root ~/project -- npm test               and what it would have needed\n"
    "  cordon doctor                                           what this machine can hold it with\n"
    "  cordon shell-explain 'cp a b && rm a'                   what a command line would do\n"
    "\n"
    "Environment: ALLOWED_ROOT_DIRECTORY, DATA_DIR, XDG_CONFIG_HOME, XDG_RUNTIME_DIR,\n"
    "             XDG_STATE_HOME, HOME; CORDON_RESOLVER=openat2|walk;\n"
    "             CORDON_SERVER, CORDON_TOKEN, CORDON_TOKEN_FILE for 'cordon sandbox'.\n"
    "Exit status: 0 done or allowed, 1 refused, 2 usage or configuration error,\n"
    "             3 the system cannot enforce what was asked.";

// A program that asked for JSON gets its usage errors as JSON, too.
OutputFormat WantedFormat(int argc, char** argv) {
  for (int i = 1; i < argc && std::string_view(argv[i]) != "--"; ++i) {
    if (std::string_view(argv[i]) == "--json") return OutputFormat::kJson;
  }
  return OutputFormat::kText;
}

// The deepest subcommand that was named.
const CLI::App& NamedCommand(const CLI::App& app) {
  const CLI::App* deepest = &app;
  while (!deepest->get_subcommands().empty()) deepest = deepest->get_subcommands().front();
  return *deepest;
}

std::string FullName(const CLI::App& command) {
  const CLI::App* parent = command.get_parent();
  return parent == nullptr ? command.get_name() : FullName(*parent) + " " + command.get_name();
}

// CLI11 says that a subcommand is missing also where one is misspelt.
std::string WhatIsWrong(const CLI::App& command, const CLI::ParseError& error) {
  const bool needs_subcommand =
      !command.get_subcommands([](const CLI::App*) { return true; }).empty();
  const std::vector<std::string> left = command.remaining();
  if (!needs_subcommand || left.empty()) return error.what();
  return Quoted(left.front()) + " is not a subcommand of '" + FullName(command) + "'";
}

ExitStatus ReportUsage(const CLI::App& app, const CLI::ParseError& error, OutputFormat format) {
  const CLI::App& command = NamedCommand(app);
  const ExitStatus status = ReportSetupError(UsageError(WhatIsWrong(command, error)), format);
  if (format == OutputFormat::kText) std::cerr << "Try '" << FullName(command) << " --help'.\n";
  return status;
}

bool RunsWhatFollows(int argc, char** argv) {
  const std::string_view command = argv[1];
  const std::string_view second = argc > 2 ? argv[2] : "";
  if (command == "sandbox") return second == "exec" || second == "shell";
  if (command == kCompletion) return second == "candidates";
  return command == "run" || command == "learn";
}

// Takes what stands after "--" off the command line of a subcommand that runs it.
AfterDashes TakeAfterDashes(int& argc, char** argv) {
  AfterDashes after;
  if (argc < 2 || !RunsWhatFollows(argc, argv)) return after;
  for (int i = 2; i < argc; ++i) {
    if (std::string_view(argv[i]) != "--") continue;
    after.assign(argv + i + 1, argv + argc);
    argc = i;
  }
  return after;
}

// Only the subcommand that is named, if one is: to describe all of them takes longer than
// most of them do. Two speak of all the others.
void AddSubcommands(std::span<const Subcommand> subcommands, std::string_view named, CLI::App& app,
                    ExitStatus& status, const AfterDashes& after) {
  const bool alone = named != kCompletion && named != kManual &&
                     std::ranges::any_of(subcommands, [&](const Subcommand& subcommand) {
                       return subcommand.name == named;
                     });
  for (const Subcommand& subcommand : subcommands) {
    if (!alone || subcommand.name == named) subcommand.add(app, status, after);
  }
}

ExitStatus Run(int argc, char** argv, std::span<const Subcommand> subcommands) {
  const AfterDashes after = TakeAfterDashes(argc, argv);
  CLI::App app("Cordon draws a line around what an AI agent may touch.", "cordon");
  app.set_version_flag("--version", "cordon " CORDON_VERSION, "Print the version and exit");
  app.require_subcommand(1);
  ExitStatus status = ExitStatus::kDone;
  AddSubcommands(subcommands, argc > 1 ? argv[1] : "", app, status, after);
  app.footer(kFooter);  // now, or every subcommand would have it, too
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& wanted) {  // --help, --version
    app.exit(wanted);
  } catch (const CLI::ParseError& error) {
    return ReportUsage(app, error, WantedFormat(argc, argv));
  }
  return status;
}

}  // namespace

int RunProgram(int argc, char** argv, std::span<const Subcommand> subcommands) {
  ExitStatus status = ExitStatus::kCannotEnforce;
  try {
    status = Run(argc, argv, subcommands);
  } catch (const std::exception& failure) {  // out of memory and the like: never "allowed"
    std::cerr << "cordon: " << Printable(failure.what()) << '\n';
    return static_cast<int>(ExitStatus::kCannotEnforce);
  }
  if (!std::cout.flush()) {
    std::cerr << "cordon: the output could not be written\n";
    if (status == ExitStatus::kDone) status = ExitStatus::kCannotEnforce;
  }
  return static_cast<int>(status);
}

}  // namespace cordon::cli
