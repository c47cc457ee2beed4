// cordon hook: the policy's word, for agents that ask a program before they act.
#include <memory>
#include <utility>

#include "base/printable.h"
#include "base/try.h"
#include "cli/commands.h"
#include "cli/hook_flags.h"

namespace cordon::cli {
namespace {

constexpr const char* kHidden = "";

void AddHookFlags(CLI::App& command, HookFlags& flags) {
  AddText(command, "--agent", flags.agent, "Whose hook it is")
      ->type_name("claude|codex|gemini|cursor");
  AddBoundaryFlags(command, flags.common);
  command.add_flag("--strict", flags.strict,
                   "Refuse commands of which not everything can be known, instead of asking");
  AddText(command, "--audit-log", flags.audit_log,
          "The audit log; default: cordon/audit.jsonl in $XDG_STATE_HOME or ~/.local/state")
      ->type_name("FILE");
}

void AddInstallFlags(CLI::App& command, HookInstallFlags& flags) {
  command.add_flag("--user", flags.user, "In the settings of your home directory (default)");
  AddText(command, "--project", flags.project, "In the settings of this project instead")
      ->type_name("DIR");
  command.add_flag("--yes", flags.yes, "Do not ask before the file is written");
}

Status Append(std::vector<std::string>& words, const char* name, const std::string& value) {
  words.emplace_back(name);
  words.push_back(value);
  return {};
}

Status AppendPath(std::vector<std::string>& words, const char* name, const std::string& value) {
  if (!value.starts_with('/')) {
    return UsageError(std::string(name) + ": " + Quoted(value) +
                      " is not absolute, and the hook may be run from anywhere");
  }
  return Append(words, name, value);
}

}  // namespace

Result<hook::Agent> ParseAgentFlag(const std::optional<std::string>& text) {
  if (!text) return UsageError("--agent is missing; use claude, codex, gemini or cursor");
  if (const std::optional<hook::Agent> agent = hook::ParseAgent(*text)) return *agent;
  return UsageError("--agent: " + Quoted(*text) +
                    " is not an agent with known hooks; use claude, codex, gemini or cursor");
}

Result<std::vector<std::string>> ArgumentsOf(const HookFlags& flags) {
  std::vector<std::string> words;
  TRY(ParseFlags(flags.common));
  for (const std::string& root : flags.common.roots) TRY(AppendPath(words, "--root", root));
  for (const std::string& root : flags.common.read_only_roots) {
    TRY(AppendPath(words, "--allow-read", root));
  }
  for (const std::string& pattern : flags.common.deny) TRY(Append(words, "--deny", pattern));
  if (flags.common.profile) TRY(Append(words, "--profile", *flags.common.profile));
  if (flags.common.config_file) TRY(AppendPath(words, "--config", *flags.common.config_file));
  if (flags.audit_log) TRY(AppendPath(words, "--audit-log", *flags.audit_log));
  if (flags.strict) words.emplace_back("--strict");
  return words;
}

void AddHookCommand(CLI::App& app, ExitStatus& status) {
  CLI::App& command = *app.add_subcommand(
      "hook", "Answer an agent's hook: its JSON on standard input, its form of answer out.");
  const auto flags = std::make_shared<HookFlags>();
  AddHookFlags(command, *flags);
  AddText(command, "--made", flags->made, "What install made, for uninstall")->group(kHidden);
  command.require_subcommand(0, 1);
  command.footer(
      "Without --root and roots in the configuration, the workspace is the agent's project, else\n"
      "its working directory. A hook advises: it sees text, and the agent acts later. What holds\n"
      "is a sandbox, or the tools of 'cordon' itself.\n"
      "Exit status: 0 no opinion, or an answer on standard output; 2 denied, with the reason on\n"
      "             standard error, which is also how every failure ends.\n"
      "Examples:\n"
      "  cordon hook install --agent claude --project .\n"
      "  cordon hook uninstall --agent claude --project .\n"
      "  cordon hook --agent claude --root ~/project < event.json");
  command.callback([flags, &status, &command] {
    if (command.get_subcommands().empty()) status = static_cast<ExitStatus>(RunHook(*flags));
  });

  CLI::App& install = *command.add_subcommand(
      "install", "Put the hook into the agent's settings; shows what changes and asks first.");
  const auto wanted = std::make_shared<HookInstallFlags>();
  AddInstallFlags(install, *wanted);
  AddHookFlags(install, wanted->hook);
  AddText(install, "--program", wanted->program, "The cordon to be run; default: this one")
      ->type_name("FILE");
  install.footer(
      "The flags of the boundary become those of the hook; paths must be absolute.\n"
      "Example:\n"
      "  cordon hook install --agent claude --project .");
  install.callback([wanted, &status] { status = RunHookInstall(*wanted); });

  CLI::App& uninstall =
      *command.add_subcommand("uninstall", "Take out again what install has put in.");
  const auto unwanted = std::make_shared<HookInstallFlags>();
  AddInstallFlags(uninstall, *unwanted);
  AddText(uninstall, "--agent", unwanted->hook.agent, "Whose hook it is")
      ->type_name("claude|codex|gemini|cursor");
  uninstall.footer("Example:\n  cordon hook uninstall --agent claude --project .");
  uninstall.callback([unwanted, &status] { status = RunHookUninstall(*unwanted); });
}

}  // namespace cordon::cli
