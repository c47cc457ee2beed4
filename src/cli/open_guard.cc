#include "cli/open_guard.h"

#include <iostream>
#include <random>
#include <utility>

#include "api/state_place.h"
#include "audit/best_effort.h"
#include "audit/log.h"
#include "base/printable.h"
#include "base/try.h"
#include "confine/ambient_authority.h"
#include "confine/ambient_paths.h"
#include "consent/socket_channel.h"
#include "consent/terminal_channel.h"
#include "path/posix.h"
#include "undo/best_effort.h"
#include "undo/journal.h"

namespace cordon::cli {
namespace {

using confine::AmbientAuthority;

constexpr const char* kNoProtection =
    "\n"
    "################################################################################\n"
    "##                                                                            ##\n"
    "##   WARNING: --disable-sandbox                                               ##\n"
    "##   NOTHING IS PROTECTED. The agent may read, change and delete every file   ##\n"
    "##   that you may. Nobody is asked. Every record says so.                     ##\n"
    "##                                                                            ##\n"
    "################################################################################\n"
    "\n";

std::string RandomName() {
  std::random_device random;
  std::string name;
  for (int word = 0; word < 4; ++word) {
    std::uint32_t bits = random();
    for (int digit = 0; digit < 8; ++digit, bits >>= 4) name += "0123456789abcdef"[bits & 15];
  }
  return name;
}

// The log may lie in a root only with the state directory, which is out of reach as a
// whole: a workspace is moved, copied and thrown away.
Status CheckLogOutside(const guard::Boundary& boundary, const api::StatePlace& state) {
  const auto authority = AmbientAuthority::OfThisProcess();
  const audit::LogPlace& place = state.log;
  const std::string real = confine::AmbientRealPath(place.log_file, authority);
  if (boundary.Locate(real).root == nullptr) return {};
  std::string_view below;
  const std::string own = confine::AmbientRealPath(state.directory, authority);
  if (path::StripRoot(real, own, below)) return {};
  return UsageError("--audit-log: " + Quoted(place.log_file) +
                    " lies inside a root, where the agent could reach it");
}

Result<std::shared_ptr<audit::Recorder>> OpenRecorder(const audit::LogPlace& place,
                                                      AuditMode mode) {
  auto log = audit::Log::Open(place, {}, AmbientAuthority::OfThisProcess());
  if (!log) {
    Error error = std::move(log.error());
    error.detail = "the audit log cannot be opened, so nothing can be done: " + error.detail;
    return error;
  }
  if (mode == AuditMode::kRequired) return std::shared_ptr<audit::Recorder>(std::move(*log));
  return std::shared_ptr<audit::Recorder>(std::make_shared<audit::BestEffort>(
      std::move(*log), [](const std::string& text) { PrintWarnings({text}); }));
}

// Null: nothing is kept.
Result<std::shared_ptr<undo::Keeper>> OpenKeeper(const api::StatePlace& place,
                                                 const GuardChoices& choices) {
  if (choices.undo == UndoMode::kOff) return std::shared_ptr<undo::Keeper>();
  const auto warn = [](const std::string& text) { PrintWarnings({text}); };
  auto journal = undo::Journal::Open(place.undo_directory, choices.undo_limits,
                                     AmbientAuthority::OfThisProcess());
  if (!journal && choices.undo == UndoMode::kBestEffort) {
    warn("the undo journal cannot be opened (" + journal.error().detail +
         "), so nothing can be undone");
    return std::shared_ptr<undo::Keeper>();
  }
  if (!journal) {
    Error error = std::move(journal.error());
    error.rule = "undo";
    error.detail = "the undo journal cannot be opened, so nothing can be done: " + error.detail;
    return error;
  }
  if (choices.undo == UndoMode::kRequired) return std::shared_ptr<undo::Keeper>(*journal);
  return std::shared_ptr<undo::Keeper>(std::make_shared<undo::BestEffort>(*journal, warn));
}

Result<std::shared_ptr<consent::Desk>> OpenDesk(const GuardChoices& choices,
                                                const api::StatePlace& place,
                                                const ChannelWrapper& wrap) {
  std::vector<std::shared_ptr<consent::Channel>> channels;
  for (const ChannelKind kind : choices.channels) {
    if (kind == ChannelKind::kTerminal) {
      std::shared_ptr<consent::Channel> terminal = consent::MakeTerminalChannel();
      channels.push_back(wrap ? wrap(std::move(terminal)) : std::move(terminal));
    } else {
      TRY_ASSIGN(std::shared_ptr<consent::Channel> socket,
                 consent::ListenForApprovers(place.approval_directory));
      channels.push_back(std::move(socket));
    }
  }
  return std::make_shared<consent::Desk>(std::move(channels), choices.patience);
}

}  // namespace

Result<guard::Guard::Parts> OpenGuardParts(const GuardFlags& flags, const ChannelWrapper& wrap) {
  TRY_ASSIGN(const GuardChoices choices, ParseGuardFlags(flags));
  TRY_ASSIGN(policy::Settings settings, LoadSettings(flags.common));
  if (flags.disable_sandbox) {
    settings.protection = policy::Protection::kOff;
    std::cerr << kNoProtection << std::flush;
  }
  if (flags.read_only) settings.read_only = true;
  TRY_ASSIGN(const api::StatePlace place, api::FindStatePlace(flags.audit_log));
  // With its head and its older files, whose names begin like its own.
  settings.own.push_back({place.log.log_file, policy::Protected::From::kEverything,
                          policy::Protected::Names::kBeginningWith});
  TRY_ASSIGN(guard::Boundary boundary, OpenBoundary(settings));
  TRY(CheckLogOutside(boundary, place));
  PrintWarnings(boundary.warnings());
  TRY_ASSIGN(std::shared_ptr<audit::Recorder> recorder, OpenRecorder(place.log, choices.audit));
  TRY_ASSIGN(std::shared_ptr<consent::Desk> desk, OpenDesk(choices, place, wrap));
  TRY_ASSIGN(std::shared_ptr<undo::Keeper> keeper, OpenKeeper(place, choices));
  guard::Session session;
  session.id = flags.session.value_or(RandomName());
  session.actor = flags.actor.value_or("cli");
  return guard::Guard::Parts{std::move(boundary), std::move(recorder), std::move(desk),
                             std::move(session), std::move(keeper)};
}

Result<std::unique_ptr<guard::Guard>> OpenGuard(const GuardFlags& flags) {
  TRY_ASSIGN(guard::Guard::Parts parts, OpenGuardParts(flags));
  return guard::Guard::Start(std::move(parts));
}

}  // namespace cordon::cli
