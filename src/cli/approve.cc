// cordon approve: answers the questions of other processes, in a terminal of its own.
#include "consent/approve.h"

#include <iostream>
#include <memory>
#include <optional>
#include <string>

#include "api/state_place.h"
#include "base/try.h"
#include "cli/commands.h"
#include "cli/common_flags.h"
#include "cli/report.h"

namespace cordon::cli {
namespace {

struct ApproveFlags {
  std::optional<std::string> directory;
  bool once = false;
  bool json = false;

  OutputFormat format() const { return json ? OutputFormat::kJson : OutputFormat::kText; }
};

Result<std::string> DirectoryFrom(const ApproveFlags& flags) {
  if (flags.directory) {
    if (flags.directory->starts_with('/')) return *flags.directory;
    return UsageError("--directory must be an absolute path");
  }
  TRY_ASSIGN(const api::StatePlace place, api::FindStatePlace(std::nullopt));
  return place.approval_directory;
}

Status Approve(const ApproveFlags& flags) {
  TRY_ASSIGN(const std::string directory, DirectoryFrom(flags));
  const auto until = flags.once ? consent::ApproveUntil::kFirstOne : consent::ApproveUntil::kEnded;
  if (flags.json) {
    return consent::ApproveByLines(directory, until,
                                   [](std::string_view line) { std::cout << line << std::flush; });
  }
  Status done = consent::ApproveOnTerminal(directory, until);
  if (!done && done.error().code == ErrorCode::kNotFound) {
    return UsageError("there is no terminal to ask on; a program answers with --json");
  }
  return done;
}

}  // namespace

void AddApproveCommand(CLI::App& app, ExitStatus& status) {
  CLI::App& approve = *app.add_subcommand(
      "approve", "Answer here what tools running elsewhere ask; Ctrl-C ends it");
  const auto flags = std::make_shared<ApproveFlags>();
  approve.add_flag("--once", flags->once, "End when one question is over");
  approve.add_flag("--json", flags->json,
                   "Questions as JSON lines on stdout, answers as JSON lines on stdin");
  AddText(approve, "--directory", flags->directory,
          "Where the questions' sockets are (default: $XDG_RUNTIME_DIR/cordon)")
      ->type_name("DIR");
  approve.footer(
      "Example:\n"
      "  cordon approve    while 'cordon mcp --ask socket ~/project' runs elsewhere");
  approve.callback([flags, &status] {
    const Status done = Approve(*flags);
    status = done ? ExitStatus::kDone : ReportSetupError(done.error(), flags->format());
  });
}

}  // namespace cordon::cli
