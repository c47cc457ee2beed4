#include "cli/run_here.h"

#include <memory>
#include <utility>

#include "base/printable.h"
#include "base/try.h"
#include "cli/command_terminal.h"
#include "cli/companion.h"
#include "cli/name_services.h"
#include "cli/open_guard.h"
#include "cli/report.h"
#include "platform/inherited.h"

namespace cordon::cli {
namespace {

std::string Shown(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + Quoted(word);
  return text;
}

// Limits hold without a control group, too; only less exactly.
void WarnOfMissing(sandbox::LayerSet missing) {
  missing.Remove(sandbox::Layer::kControlGroup);
  for (const sandbox::Layer layer : sandbox::kAllLayers) {
    if (!missing.Has(layer)) continue;
    PrintWarnings({"this machine has no " + std::string(sandbox::LayerName(layer)) +
                   "; 'cordon doctor' says what that costs"});
  }
}

constexpr sandbox::Streams kOwnStreams{0, 1, 2};

Result<std::shared_ptr<sandbox::Launcher>> LauncherFor(const guard::CommandSupport& support) {
  const auto expected = sandbox::FirstLayers(support.wanted, support.required, support.network);
  TRY_ASSIGN(sandbox::Launcher launcher,
             sandbox::Launcher::Start(support.launcher, kOwnStreams, expected));
  return std::make_shared<sandbox::Launcher>(std::move(launcher));
}

}  // namespace

std::shared_ptr<sandbox::Launcher> StartLauncherAhead() {
  guard::CommandSupport usual;
  Result<std::string> program = FindLauncher();
  if (!program) return nullptr;
  usual.launcher = std::move(*program);
  Result<std::shared_ptr<sandbox::Launcher>> launcher = LauncherFor(usual);
  return launcher ? std::move(*launcher) : nullptr;
}

void AddRunFlags(CLI::App& command, RunFlags& flags) {
  AddGuardFlags(command, flags.guard);
  AddCommandFlags(command, flags.command);
  command.prefix_command();
}

Result<std::vector<std::string>> WordsOf(const CLI::App& command, const AfterDashes& after) {
  std::vector<std::string> words = command.remaining();
  if (!words.empty() && words.front().starts_with('-')) {
    return UsageError("there is no option " + Quoted(words.front()));
  }
  words.insert(words.end(), after.begin(), after.end());
  if (words.empty()) return UsageError("name the program to run, after --");
  return words;
}

Result<RunResult> RunHere(RunFlags& flags) {
  TRY_ASSIGN(const auto support, ParseCommandFlags(flags.command));
  if (support->network == sandbox::Network::kProxied) {
    flags.launcher.reset();  // or it would be left to the program that this one becomes
    TRY(NeedNameServices());
  }
  guard::CommandTerms terms;
  terms.streams = kOwnStreams;
  // While it makes namespaces, the rest is read and opened here.
  terms.launcher = std::exchange(flags.launcher, nullptr);
  if (!terms.launcher) {
    TRY_ASSIGN(terms.launcher, LauncherFor(*support));
  }
  CommandTerminal terminal;
  TRY_ASSIGN(guard::Guard::Parts parts,
             OpenGuardParts(flags.guard, [&terminal](std::shared_ptr<consent::Channel> channel) {
               return terminal.Wrap(std::move(channel));
             }));
  parts.commands = support;
  TRY_ASSIGN(const std::unique_ptr<guard::Guard> guard, guard::Guard::Start(std::move(parts)));
  // Whoever types the command has decided on it: only what it reaches for is asked about.
  const guard::Call call{"run", policy::ToolKind::kRead, {}};
  terms.arguments = flags.words;
  terms.shown = Shown(flags.words);
  if (platform::StandardStreamsAreTerminals()) terms.terminal = sandbox::TerminalUse::kOwn;
  TRY_ASSIGN(const std::unique_ptr<guard::RunningCommand> running, guard->Run(call, terms));
  // The command decides what an interrupt means to it; how it ended is told in any case.
  platform::IgnoreInterrupts();
  WarnOfMissing(support->wanted.Without(running->layers()));
  if (terms.terminal == sandbox::TerminalUse::kOwn) TRY(terminal.Start(running->TakeTerminal()));
  running->Leave();
  Result<guard::CommandOutcome> ended = running->Wait();
  terminal.End();
  if (!ended) return std::move(ended.error());
  return RunResult{std::move(*ended), guard->boundary().workspace().real_path()};
}

}  // namespace cordon::cli
