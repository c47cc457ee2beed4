// cordon learn: a program behind the line, and the policy it would have needed.
#include <iostream>
#include <memory>
#include <optional>
#include <string>

#include "base/printable.h"
#include "base/try.h"
#include "cli/commands.h"
#include "cli/learned_policy.h"
#include "cli/program_usage.h"
#include "cli/run_here.h"
#include "cli/run_report.h"
#include "confine/ambient_authority.h"
#include "confine/root.h"

namespace cordon::cli {
namespace {

struct LearnFlags {
  RunFlags run;
  std::string output = "cordon-learned.toml";
};

Status WriteHere(const std::string& name, const std::string& text) {
  TRY_ASSIGN(const confine::Root here,
             confine::Root::OpenAmbient(".", {}, confine::AmbientAuthority::OfThisProcess()));
  TRY_ASSIGN(confine::Replacement replacement, here.Replace(name));
  TRY(replacement.Write(text));
  return replacement.Commit();
}

Result<int> Learn(const CLI::App& command, const AfterDashes& after, LearnFlags& flags) {
  TRY_ASSIGN(flags.run.words, WordsOf(command, after));
  TRY_ASSIGN(const RunResult ran, RunHere(flags.run));
  TRY(WriteHere(flags.output, LearnedPolicy(ran.outcome, ran.workspace)));
  std::cerr << FooterOf(ran.outcome) << "cordon: what it would have needed is in "
            << Quoted(flags.output) << "; nothing of it is in force\n"
            << std::flush;
  return ExitCodeOf(ran.outcome.ended);
}

}  // namespace

void AddLearnCommand(CLI::App& app, ExitStatus& status, const AfterDashes& after) {
  const auto flags = std::make_shared<LearnFlags>();
  CLI::App& command = *app.add_subcommand(
      "learn", "Run a program behind the line, and write down the policy it would have needed");
  AddRunFlags(command, flags->run);
  TakesProgram(command, ProgramAfter::kMust);
  command
      .add_option_function<std::string>(
          "--output", [flags](const std::string& name) { flags->output = name; },
          "The file below the current directory; default cordon-learned.toml")
      ->type_name("FILE");
  command.footer(
      "The program and its arguments stand after --.\n"
      "Example:\n"
      "  cordon learn --root ~/project --output needed.toml -- npm test");
  command.callback([flags, &command, &after, &status] {
    const Result<int> ended = Learn(command, after, *flags);
    status = ended ? static_cast<ExitStatus>(*ended)
                   : ReportSetupError(ended.error(), OutputFormat::kText);
  });
}

}  // namespace cordon::cli
