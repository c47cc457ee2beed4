// cordon sandbox shell: a person's terminal in a sandbox.
#include <cstdlib>
#include <iostream>
#include <memory>
#include <utility>

#include "base/printable.h"
#include "base/try.h"
#include "cli/common_flags.h"
#include "cli/program_usage.h"
#include "cli/sandbox_commands.h"
#include "cli/sandbox_program.h"
#include "cli/sandbox_terminal.h"
#include "remote/url_text.h"

namespace cordon::cli {
namespace {

namespace json = boost::json;

// Whichever shell there is.
constexpr const char* kShell = "command -v bash >/dev/null 2>&1 && exec bash; exec sh";

struct ShellFlags {
  ProgramFlags program;
  std::optional<std::string> attach;
};

Result<platform::OwnTerminal> TakeTerminal() {
  auto screen = platform::OwnTerminal::Take();
  if (screen || screen.error().code != ErrorCode::kNotFound) return screen;
  return UsageError(screen.error().detail +
                    "; a program that needs none is run by 'cordon sandbox exec'");
}

Result<json::object> RequestOf(const ShellFlags& flags, const AfterDashes& words,
                               const platform::WindowSize& size) {
  TRY_ASSIGN(json::object request, ProgramObject(flags.program, words));
  if (words.empty()) request["command"] = kShell;
  request["rows"] = size.rows;
  request["columns"] = size.columns;
  json::object& environment = request["environment"].get_object();
  const char* const kind = std::getenv("TERM");
  if (kind != nullptr && !environment.contains("TERM")) environment["TERM"] = kind;
  return request;
}

// The terminal's own place on the server, made if none is named.
Result<std::string> Place(const ShellFlags& flags, const AfterDashes& words,
                          const remote::ApiClient& client, const platform::WindowSize& size) {
  TRY_ASSIGN(const std::string id, FindSandboxId(client, flags.program.id.value_or("")));
  const std::string all = "/v1/sandboxes/" + id + "/terminals";
  if (flags.attach) return all + "/" + remote::UrlValue(*flags.attach);
  TRY_ASSIGN(const json::object request, RequestOf(flags, words, size));
  TRY_ASSIGN(const json::object made, client.Post(all, request));
  return all + "/" + remote::UrlValue(MemberText(made, "id"));
}

Result<ExitStatus> Shell(const ShellFlags& flags, const AfterDashes& words,
                         const remote::ApiClient& client) {
  if (flags.attach && !words.empty()) {
    return UsageError("--attach: the terminal has its program already");
  }
  std::string target;
  Result<std::optional<ExitStatus>> ended = std::optional<ExitStatus>();
  {
    TRY_ASSIGN(const platform::OwnTerminal screen, TakeTerminal());
    TRY_ASSIGN(target, Place(flags, words, client, screen.size()));
    ended = SandboxTerminal(client, target, screen).Run();
  }
  if (!ended) return std::move(ended.error());
  if (*ended) {
    static_cast<void>(client.Delete(target));  // it has ended; nobody comes back to it
    return **ended;
  }
  const std::string name = target.substr(target.find_last_of('/') + 1);
  std::cerr << "cordon: the program goes on for five minutes; come back with 'cordon sandbox shell "
            << Printable(flags.program.id.value_or("")) << " --attach " << Printable(name) << "'\n";
  return kNotRun;
}

}  // namespace

void AddSandboxShell(CLI::App& sandbox, ExitStatus& status, const AfterDashes& after) {
  const auto flags = std::make_shared<ShellFlags>();
  CLI::App& command =
      *sandbox.add_subcommand("shell", "A shell, or another program, on a terminal in a sandbox.");
  AddText(command, "--attach", flags->attach, "A terminal that was left, instead of a new one")
      ->type_name("TERMINAL");
  AddProgramFlags(command, flags->program);
  TakesProgram(command, ProgramAfter::kMay);
  command.footer(
      "Every key goes to the program. A connection that is lost is made again, and nothing of the\n"
      "output is missed. What stands after -- is run instead of a shell.\n"
      "Examples:\n"
      "  cordon sandbox shell mfrggzdfmztwq2lk\n"
      "  cordon sandbox shell mfrggzdfmztwq2lk -- vi notes.txt");
  command.callback([flags, &after, &status] {
    status = AskForProgram(flags->program.server, [&](const remote::ApiClient& client) {
      return Shell(*flags, after, client);
    });
  });
}

}  // namespace cordon::cli
