// Running a program behind the line from the command line, with the person's own streams.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "cli/command_flags.h"
#include "cli/commands.h"
#include "cli/guard_flags.h"
#include "cordon/result.h"
#include "guard/command.h"
#include "sandbox/command.h"

namespace cordon::cli {

struct RunFlags {
  GuardFlags guard;
  CommandFlags command;
  std::vector<std::string> words;               // the program first
  std::shared_ptr<sandbox::Launcher> launcher;  // if it was started before the flags were read
};

// The launcher for a command without flags, none if it cannot be started: RunHere tells why.
std::shared_ptr<sandbox::Launcher> StartLauncherAhead();

// `flags` must outlive the parse.
void AddRunFlags(CLI::App& command, RunFlags& flags);

// The program and its arguments: what stands after the flags, once they were parsed, and
// after "--". Errors: kInvalidArguments.
Result<std::vector<std::string>> WordsOf(const CLI::App& command, const AfterDashes& after);

struct RunResult {
  guard::CommandOutcome outcome;
  std::string workspace;  // absolute and real
};
// Waits for its end. Warns of layers that this machine lacks. Takes the launcher of `flags`.
Result<RunResult> RunHere(RunFlags& flags);

}  // namespace cordon::cli
