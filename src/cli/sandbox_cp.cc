// cordon sandbox cp: files and directories, both ways.
#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>
#include <utility>

#include "base/printable.h"
#include "base/try.h"
#include "cli/common_flags.h"
#include "cli/sandbox_commands.h"
#include "cli/sandbox_copy.h"
#include "cli/server_flags.h"

namespace cordon::cli {
namespace {

constexpr std::string_view kIdCharacters = "abcdefghijklmnopqrstuvwxyz234567";
constexpr std::size_t kMostTold = 20;

struct CpFlags {
  ServerFlags server;
  std::optional<std::string> from, to;
};

struct Named {
  std::string sandbox, path;
};

// "SANDBOX:PATH". What has a slash before the colon is a path of this machine.
std::optional<Named> InSandbox(const std::string& text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos || colon == 0) return std::nullopt;
  if (text.find_first_not_of(kIdCharacters) != colon) return std::nullopt;
  return Named{text.substr(0, colon), text.substr(colon + 1)};
}

Result<SandboxPath> PlaceOf(const remote::ApiClient& client, const Named& named) {
  TRY_ASSIGN(std::string id, FindSandboxId(client, named.sandbox));
  return SandboxPath{std::move(id), named.path};
}

Result<ExitStatus> Tell(const Copied& copied) {
  for (std::size_t i = 0; i < std::min(kMostTold, copied.left_out.size()); ++i) {
    std::cerr << "cordon: not copied: " << Printable(copied.left_out[i]) << '\n';
  }
  if (copied.left_out.size() > kMostTold) {
    std::cerr << "cordon: and " << copied.left_out.size() - kMostTold << " more\n";
  }
  return copied.left_out.empty() ? ExitStatus::kDone : ExitStatus::kRefused;
}

Result<Copied> Transfer(const CpFlags& flags, const remote::ApiClient& client) {
  const auto from = InSandbox(*flags.from);
  const auto to = InSandbox(*flags.to);
  if (from.has_value() == to.has_value()) {
    return UsageError(
        "one of the two is SANDBOX:PATH, the other a path of this machine (with a "
        "colon in it: ./a:b)");
  }
  Progress progress("Copying");
  if (to) {
    TRY_ASSIGN(const SandboxPath place, PlaceOf(client, *to));
    return Upload(client, *flags.from, place, progress);
  }
  TRY_ASSIGN(const SandboxPath place, PlaceOf(client, *from));
  return Download(client, place, *flags.to, progress);
}

Result<ExitStatus> Copy(const CpFlags& flags, const remote::ApiClient& client) {
  TRY_ASSIGN(const Copied copied, Transfer(flags, client));
  return Tell(copied);
}

}  // namespace

void AddSandboxCp(CLI::App& sandbox, ExitStatus& status) {
  const auto flags = std::make_shared<CpFlags>();
  CLI::App& command =
      *sandbox.add_subcommand("cp", "Copy a file or a directory into a sandbox, or out of one.");
  AddText(command, "FROM", flags->from, "A path of this machine, or SANDBOX:PATH")
      ->required()
      ->type_name("");
  AddText(command, "TO", flags->to, "The other of the two")->required()->type_name("");
  AddServerFlags(command, flags->server);
  command.footer(
      "As cp -r does it: into TO if that is a directory, else to that name; DIR/. is what is in\n"
      "it. Paths in a sandbox are below its /workspace. Links that lead out of what is copied are\n"
      "not copied; a file may have 64 MiB on the way in.\n"
      "Examples:\n"
      "  cordon sandbox cp . mfrggzdfmztwq2lk:project\n"
      "  cordon sandbox cp mfrggzdfmztwq2lk:project/report.pdf .");
  AskWhenGiven(command, flags, status, Copy);
}

}  // namespace cordon::cli
