#include "cli/audit_place.h"

#include <charconv>
#include <iostream>
#include <utility>

#include "api/state_place.h"
#include "base/printable.h"
#include "base/try.h"
#include "cli/common_flags.h"
#include "confine/ambient_authority.h"

namespace cordon::cli {

void AddAuditFlags(CLI::App& command, AuditFlags& flags, const std::string& json_help) {
  AddText(command, "--audit-log", flags.audit_log,
          "The log; default: cordon/audit.jsonl in $XDG_STATE_HOME or ~/.local/state")
      ->type_name("FILE");
  AddText(command, "--audit-key", flags.audit_key,
          "The log's key, an absolute path; default: audit.key beside the usual log")
      ->type_name("FILE");
  command.add_flag("--json", flags.json, json_help);
}

CLI::Option* AddTexts(CLI::App& command, const std::string& name, std::vector<std::string>& values,
                      const std::string& help) {
  return command
      .add_option_function<std::string>(
          name, [&values](const std::string& value) { values.push_back(value); }, help)
      ->trigger_on_parse();
}

Result<std::uint64_t> ParseCount(std::string_view flag, std::string_view text) {
  std::uint64_t count = 0;
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, count);
  if (error == std::errc() && stopped == end && !text.empty()) return count;
  return UsageError(std::string(flag) + ": " + Quoted(text) + " is not a whole number");
}

Result<audit::LogPlace> FindLog(const AuditFlags& flags) {
  TRY_ASSIGN(api::StatePlace place, api::FindStatePlace(flags.audit_log));
  if (flags.audit_key && !flags.audit_key->starts_with('/')) {
    return UsageError("--audit-key: " + Quoted(*flags.audit_key) + " is no absolute path");
  }
  if (flags.audit_key) place.log.key_file = *flags.audit_key;
  return place.log;
}

Result<audit::Reader> OpenLog(const AuditFlags& flags) {
  TRY_ASSIGN(const audit::LogPlace place, FindLog(flags));
  Result<audit::Reader> reader =
      audit::Reader::Open(place.log_file, confine::AmbientAuthority::OfThisProcess());
  if (!reader && reader.error().code == ErrorCode::kNotFound) {
    Error error = reader.error();
    error.detail = "there is no audit log yet: " + Quoted(place.log_file) +
                   " is made when Cordon first serves an agent; --audit-log names another";
    return error;
  }
  return reader;
}

Status EntryReader::ReadNew(const Visit& visit) {
  for (;;) {
    Status status = reader_.ReadNew([&](const audit::Reader::Line& line) {
      const Result<audit::Entry> entry = audit::ParseEntry(line.text);
      if (entry) return visit(*entry, line.text);
      ++damaged_;
      return audit::ReadOn::kYes;
    });
    if (status || status.error().code != ErrorCode::kTooLarge) return status;
    ++damaged_;  // a line that is longer than any record
  }
}

void EntryReader::WarnOfDamage() const {
  if (damaged_ == 0) return;
  PrintWarnings({std::to_string(damaged_) +
                 (damaged_ == 1 ? " line is not a record" : " lines are not records") +
                 "; run cordon audit verify"});
}

ExitStatus ReportAuditError(const Error& error, OutputFormat format) {
  ReportSetupError(error, format);
  const bool of_the_call =
      error.code == ErrorCode::kInvalidArguments || error.code == ErrorCode::kNotFound;
  return of_the_call ? ExitStatus::kUsage : ExitStatus::kCannotEnforce;
}

}  // namespace cordon::cli
