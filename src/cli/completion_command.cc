// cordon completion: what shells ask for.
#include <iostream>
#include <memory>
#include <utility>

#include "base/printable.h"
#include "cli/commands.h"
#include "cli/common_flags.h"
#include "cli/completion.h"
#include "cli/completion_scripts.h"
#include "cli/server_flags.h"

namespace cordon::cli {
namespace {

// Without a word where there is no server: nobody has asked for one.
std::vector<Candidate> AskForSandboxes() {
  std::vector<Candidate> names;
  const auto client = FindClient({});
  if (!client) return names;
  const auto all = ListSandboxes(*client, "limit=1000&state=pending,ready,paused");
  if (!all) return names;
  for (const boost::json::value& one : *all) {
    if (!one.is_object()) continue;
    const boost::json::object& sandbox = one.get_object();
    names.push_back(
        {Printable(MemberText(sandbox, "id")),
         Printable(MemberText(sandbox, "driver") + ", made " + MemberText(sandbox, "createdAt"))});
  }
  return names;
}

void Print(const Completion& completion) {
  for (const Candidate& one : completion.candidates) {
    std::cout << one.text;
    if (!one.help.empty()) std::cout << '\t' << one.help;
    std::cout << '\n';
  }
  if (completion.names == Completion::Names::kFiles) std::cout << ":files\n";
  if (completion.names == Completion::Names::kDirectories) std::cout << ":directories\n";
  if (completion.after == Completion::After::kNothing) std::cout << ":nospace\n";
}

void AddScript(CLI::App& parent, const char* name, std::string_view script, const char* where) {
  CLI::App& command =
      *parent.add_subcommand(name, std::string("Print the script for ") + name + ".");
  command.footer(std::string("Example:\n  ") + where);
  command.callback([script] { std::cout << script; });
}

}  // namespace

void AddCompletionCommand(CLI::App& app, ExitStatus& /*status*/, const AfterDashes& after) {
  CLI::App& command =
      *app.add_subcommand("completion", "Print a shell's script that completes cordon's words.");
  command.require_subcommand(1);
  command.footer(
      "The packages install these scripts. Words are found in the program's own tree of commands;\n"
      "ids of sandboxes are asked of the server.\n"
      "Example:\n"
      "  source <(cordon completion bash)");
  AddScript(command, "bash", kBashCompletion, "source <(cordon completion bash)");
  AddScript(command, "zsh", kZshCompletion, "cordon completion zsh > ~/.zfunc/_cordon");
  AddScript(command, "fish", kFishCompletion,
            "cordon completion fish > ~/.config/fish/completions/cordon.fish");
  CLI::App& candidates =
      *command.add_subcommand("candidates", "What may stand next; asked by the scripts.");
  candidates.group("");
  candidates.callback([&app, &after] { Print(Complete(app, after, AskForSandboxes)); });
}

}  // namespace cordon::cli
