// cordon run: any program behind the line.
#include <iostream>
#include <memory>

#include "base/try.h"
#include "cli/commands.h"
#include "cli/program_usage.h"
#include "cli/run_here.h"
#include "cli/run_report.h"

namespace cordon::cli {

namespace {

Result<RunResult> RunWords(const CLI::App& command, const AfterDashes& after, RunFlags& flags) {
  TRY_ASSIGN(flags.words, WordsOf(command, after));
  return RunHere(flags);
}

}  // namespace

void AddRunCommand(CLI::App& app, ExitStatus& status, const AfterDashes& after) {
  const auto flags = std::make_shared<RunFlags>();
  // Flags seldom change what it begins with, and to describe them takes as long as it does.
  if (!after.empty()) flags->launcher = StartLauncherAhead();
  CLI::App& command = *app.add_subcommand("run", "Run a program behind the line");
  AddRunFlags(command, *flags);
  TakesProgram(command, ProgramAfter::kMust);
  command.footer(
      "The program and its arguments stand after --. Its status is passed on.\n"
      "Examples:\n"
      "  cordon run --root ~/project -- npm test\n"
      "  cordon run --net allow:registry.example.org --memory 2048 -- make");
  command.callback([flags, &command, &after, &status] {
    const Result<RunResult> ran = RunWords(command, after, *flags);
    if (!ran) {
      status = ReportSetupError(ran.error(), OutputFormat::kText);
      return;
    }
    std::cerr << FooterOf(ran->outcome) << std::flush;
    // The command's own status is passed through, whatever ours mean.
    status = static_cast<ExitStatus>(ExitCodeOf(ran->outcome.ended));
  });
}

}  // namespace cordon::cli
