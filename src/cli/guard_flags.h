// The flags of every subcommand that lets an agent do something: boundary, questions,
// records.
#pragma once

#include <CLI/CLI.hpp>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "cli/common_flags.h"
#include "consent/desk.h"
#include "cordon/result.h"
#include "undo/limits.h"

namespace cordon::cli {

struct GuardFlags {
  CommonFlags common;
  std::optional<std::string> audit;      // --audit required|best-effort
  std::optional<std::string> audit_log;  // --audit-log FILE
  std::optional<std::string> undo;       // --undo required|best-effort|off
  std::optional<std::string> undo_size;  // --undo-size MIB
  std::optional<std::string> undo_file;  // --undo-file MIB
  std::optional<std::string> ask;        // --ask tty,socket|none
  std::optional<std::string> patience;   // --ask-timeout SECONDS
  std::optional<std::string> session;    // --session ID
  std::optional<std::string> actor;      // --actor NAME
  bool disable_sandbox = false;
  bool read_only = false;  // only some subcommands have it
};

// All but --json. `flags` must outlive the parse.
void AddGuardFlags(CLI::App& command, GuardFlags& flags);

enum class AuditMode { kRequired, kBestEffort };
enum class UndoMode { kRequired, kBestEffort, kOff };
enum class ChannelKind { kTerminal, kSocket };

// What the flags mean. Errors: kInvalidArguments, naming the values there are.
struct GuardChoices {
  AuditMode audit = AuditMode::kRequired;
  UndoMode undo = UndoMode::kRequired;
  undo::Limits undo_limits;
  std::vector<ChannelKind> channels{ChannelKind::kTerminal};
  std::chrono::milliseconds patience = consent::kDefaultPatience;
};
Result<GuardChoices> ParseGuardFlags(const GuardFlags& flags);

}  // namespace cordon::cli
