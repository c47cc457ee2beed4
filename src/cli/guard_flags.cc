#include "cli/guard_flags.h"

#include <charconv>
#include <string_view>

#include "base/printable.h"
#include "base/try.h"

namespace cordon::cli {
namespace {

constexpr const char* kGroup = "Consent and audit";
constexpr int kLongestPatience = 24 * 60 * 60;

Result<std::vector<ChannelKind>> ParseChannels(std::string_view text) {
  std::vector<ChannelKind> channels;
  if (text == "none") return channels;
  while (true) {
    const std::size_t comma = text.find(',');
    const std::string_view name = text.substr(0, comma);
    if (name == "tty") {
      channels.push_back(ChannelKind::kTerminal);
    } else if (name == "socket") {
      channels.push_back(ChannelKind::kSocket);
    } else {
      return UsageError("--ask: " + Quoted(name) + " is no way to ask; use tty, socket or none");
    }
    if (comma == std::string_view::npos) return channels;
    text.remove_prefix(comma + 1);
  }
}

Result<std::chrono::milliseconds> ParsePatience(std::string_view text) {
  int seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (error != std::errc() || end != text.data() + text.size() || seconds < 1 ||
      seconds > kLongestPatience) {
    return UsageError("--ask-timeout: " + Quoted(text) + " is not a number of seconds from 1 to " +
                      std::to_string(kLongestPatience));
  }
  return std::chrono::milliseconds(std::chrono::seconds(seconds));
}

Result<std::uint64_t> ParseMebibytes(const char* flag, std::string_view text) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 24;  // 16 TiB
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 1 || number > kMost) {
    return UsageError(std::string(flag) + ": " + Quoted(text) + " is not a number of MiB");
  }
  return number << 20;
}

Status ParseUndo(const GuardFlags& flags, GuardChoices& choices) {
  if (flags.undo == "best-effort") {
    choices.undo = UndoMode::kBestEffort;
  } else if (flags.undo == "off") {
    choices.undo = UndoMode::kOff;
  } else if (flags.undo && flags.undo != "required") {
    return UsageError("--undo: " + Quoted(*flags.undo) +
                      " is not a mode; use required, best-effort or off");
  }
  if (flags.undo_size) {
    TRY_ASSIGN(choices.undo_limits.total, ParseMebibytes("--undo-size", *flags.undo_size));
  }
  if (flags.undo_file) {
    TRY_ASSIGN(choices.undo_limits.file, ParseMebibytes("--undo-file", *flags.undo_file));
  }
  return {};
}

}  // namespace

void AddGuardFlags(CLI::App& command, GuardFlags& flags) {
  AddBoundaryFlags(command, flags.common);
  AddText(command, "--ask", flags.ask,
          "How a person is asked: tty (default), socket (see 'cordon approve'), tty,socket for the "
          "second where the first is not there, none")
      ->type_name("HOW")
      ->group(kGroup);
  AddText(command, "--ask-timeout", flags.patience, "How long to wait for an answer; default 300")
      ->type_name("SECONDS")
      ->group(kGroup);
  AddText(command, "--audit", flags.audit,
          "required (default): what cannot be recorded does not happen; best-effort: it does")
      ->type_name("MODE")
      ->group(kGroup);
  AddText(command, "--audit-log", flags.audit_log,
          "The audit log; default: cordon/audit.jsonl in $XDG_STATE_HOME or ~/.local/state")
      ->type_name("FILE")
      ->group(kGroup);
  AddText(command, "--undo", flags.undo,
          "required (default): what cannot be kept for undo does not happen; best-effort: it does; "
          "off: nothing is kept")
      ->type_name("MODE")
      ->group(kGroup);
  AddText(command, "--undo-size", flags.undo_size,
          "How much is kept for undo, the oldest forgotten first; default 1024")
      ->type_name("MIB")
      ->group(kGroup);
  AddText(command, "--undo-file", flags.undo_file,
          "The largest file that is kept for undo; default 64")
      ->type_name("MIB")
      ->group(kGroup);
  AddText(command, "--session", flags.session, "Name of the session in records; default: random")
      ->type_name("ID")
      ->group(kGroup);
  AddText(command, "--actor", flags.actor, "Who acts, in records and questions; default: cli")
      ->type_name("NAME")
      ->group(kGroup);
  command
      .add_flag("--disable-sandbox", flags.disable_sandbox,
                "DANGER: allow everything. Said loudly and marked in every record.")
      ->group(kGroup);
}

Result<GuardChoices> ParseGuardFlags(const GuardFlags& flags) {
  GuardChoices choices;
  if (flags.audit == "best-effort") {
    choices.audit = AuditMode::kBestEffort;
  } else if (flags.audit && flags.audit != "required") {
    return UsageError("--audit: " + Quoted(*flags.audit) +
                      " is not a mode; use required or best-effort");
  }
  TRY(ParseUndo(flags, choices));
  if (flags.ask) {
    TRY_ASSIGN(choices.channels, ParseChannels(*flags.ask));
  }
  if (flags.patience) {
    TRY_ASSIGN(choices.patience, ParsePatience(*flags.patience));
  }
  for (const std::optional<std::string>* text : {&flags.session, &flags.actor}) {
    if (*text && (text->value().empty() || text->value().size() > kMaxEchoedBytes)) {
      return UsageError("--session, --actor: a name has 1 to " + std::to_string(kMaxEchoedBytes) +
                        " bytes");
    }
  }
  return choices;
}

}  // namespace cordon::cli
