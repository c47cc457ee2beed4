// What the subcommands of `cordon audit` share: finding the log, going through it,
// and how they end.
#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "audit/log.h"
#include "audit/reader.h"
#include "cli/report.h"
#include "cordon/result.h"

namespace cordon::cli {

struct AuditFlags {
  std::optional<std::string> audit_log, audit_key;
  bool json = false;

  OutputFormat format() const { return json ? OutputFormat::kJson : OutputFormat::kText; }
};

// Adds --audit-log, --audit-key and --json. `flags` must outlive the parse.
void AddAuditFlags(CLI::App& command, AuditFlags& flags, const std::string& json_help);
// An option that may be given several times; values are taken as they stand.
CLI::Option* AddTexts(CLI::App& command, const std::string& name, std::vector<std::string>& values,
                      const std::string& help);

// A whole number, 0 included. Errors: kInvalidArguments, naming the flag.
Result<std::uint64_t> ParseCount(std::string_view flag, std::string_view text);

Result<audit::LogPlace> FindLog(const AuditFlags& flags);
// Errors: kNotFound, telling where the log would be.
Result<audit::Reader> OpenLog(const AuditFlags& flags);

// Goes through what is new in a log, and counts what is no record.
class EntryReader {
 public:
  explicit EntryReader(audit::Reader reader) : reader_(std::move(reader)) {}

  // `line` is the record's own text: safe to show, and JSON.
  using Visit = std::function<audit::ReadOn(const audit::Entry& entry, std::string_view line)>;
  Status ReadNew(const Visit& visit);
  Status SkipToLast(std::size_t count) { return reader_.SkipToLast(count); }

  std::uint64_t damaged() const { return damaged_; }
  // Says on stderr how many lines were no records, if any.
  void WarnOfDamage() const;

 private:
  audit::Reader reader_;
  std::uint64_t damaged_ = 0;
};

// Says why it cannot go on. 2 for a mistake in the call and a log that is not there,
// 3 for one that cannot be read.
ExitStatus ReportAuditError(const Error& error, OutputFormat format);

}  // namespace cordon::cli
