// cordon run: any program behind the line.
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "base/printable.h"
#include "base/try.h"
#include "cli/command_flags.h"
#include "cli/commands.h"
#include "cli/guard_flags.h"
#include "cli/open_guard.h"
#include "cli/run_report.h"
#include "platform/inherited.h"

namespace cordon::cli {
namespace {

struct RunFlags {
  GuardFlags guard;
  CommandFlags command;
  std::vector<std::string> words;
};

std::string Shown(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + Quoted(word);
  return text;
}

Result<int> RunCommand(const RunFlags& flags) {
  TRY_ASSIGN(const auto support, ParseCommandFlags(flags.command));
  TRY_ASSIGN(guard::Guard::Parts parts, OpenGuardParts(flags.guard));
  parts.commands = support;
  TRY_ASSIGN(const std::unique_ptr<guard::Guard> guard, guard::Guard::Start(std::move(parts)));
  // Whoever types the command has decided on it: only what it reaches for is asked about.
  const guard::Call call{"run", policy::ToolKind::kRead, {}};
  guard::CommandTerms terms;
  terms.arguments = flags.words;
  terms.shown = Shown(flags.words);
  terms.streams = {0, 1, 2};
  TRY_ASSIGN(const std::unique_ptr<guard::RunningCommand> running, guard->Run(call, terms));
  // The command decides what an interrupt means to it; how it ended is told in any case.
  platform::IgnoreInterrupts();
  const sandbox::LayerSet missing = support->wanted.Without(running->layers());
  for (const sandbox::Layer layer : sandbox::kAllLayers) {
    if (missing.Has(layer) && layer != sandbox::Layer::kControlGroup) {
      PrintWarnings({"this machine has no " + std::string(sandbox::LayerName(layer)) +
                     "; 'cordon doctor' says what that costs"});
    }
  }
  TRY_ASSIGN(const guard::CommandOutcome outcome, running->Wait());
  std::cerr << FooterOf(outcome) << std::flush;
  return ExitCodeOf(outcome.ended);
}

}  // namespace

void AddRunCommand(CLI::App& app, ExitStatus& status) {
  const auto flags = std::make_shared<RunFlags>();
  CLI::App* command = app.add_subcommand("run", "Run a program behind the line");
  AddGuardFlags(*command, flags->guard);
  AddCommandFlags(*command, flags->command);
  command->add_option("command", flags->words, "The program and its arguments, after --")
      ->required()
      ->type_name("-- CMD");
  command->callback([flags, &status] {
    Result<int> ended = RunCommand(*flags);
    // The command's own status is passed through, whatever ours mean.
    status = ended ? static_cast<ExitStatus>(*ended)
                   : ReportSetupError(ended.error(), OutputFormat::kText);
  });
}

}  // namespace cordon::cli
