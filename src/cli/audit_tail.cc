// cordon audit tail: the last records, and those to come.
#include <chrono>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/try.h"
#include "cli/audit_commands.h"
#include "cli/audit_place.h"
#include "cli/audit_table.h"
#include "cli/common_flags.h"
#include "platform/standard_output.h"

namespace cordon::cli {
namespace {

constexpr std::chrono::milliseconds kPoll{100};

struct TailFlags {
  AuditFlags audit;
  std::optional<std::string> lines;
  bool follow = false;
};

using platform::OutputWatch;

void Print(const audit::Entry& entry, std::string_view line, OutputFormat format) {
  if (format == OutputFormat::kJson) {
    std::cout << line << '\n';
  } else {
    std::cout << RecordRow(entry, StyleOfStandardOutput()) << '\n';
  }
}

Status ShowLast(EntryReader& reader, OutputFormat format) {
  return reader.ReadNew([&](const audit::Entry& entry, std::string_view line) {
    Print(entry, line, format);
    return std::cout ? audit::ReadOn::kYes : audit::ReadOn::kStop;
  });
}

// Until somebody asks to end, or nobody reads.
Status Follow(EntryReader& reader, OutputFormat format) {
  TRY_ASSIGN(const OutputWatch watch, OutputWatch::Begin());
  OutputWatch::Outcome outcome = OutputWatch::Outcome::kGoOn;
  while (outcome == OutputWatch::Outcome::kGoOn && std::cout) {
    TRY(reader.ReadNew([&](const audit::Entry& entry, std::string_view line) {
      outcome = watch.WaitForRoom();
      if (outcome != OutputWatch::Outcome::kGoOn) return audit::ReadOn::kStop;
      Print(entry, line, format);
      return std::cout.flush() ? audit::ReadOn::kYes : audit::ReadOn::kStop;
    }));
    if (outcome == OutputWatch::Outcome::kGoOn) {
      outcome = watch.Wait(std::cout ? kPoll : std::chrono::milliseconds(0));
    }
  }
  if (outcome == OutputWatch::Outcome::kNobodyReads) std::cout.clear();  // as it should be
  return {};
}

Status Show(const TailFlags& flags) {
  TRY_ASSIGN(const std::uint64_t lines, ParseCount("-n", flags.lines.value_or("20")));
  TRY_ASSIGN(audit::Reader log, OpenLog(flags.audit));
  EntryReader reader(std::move(log));
  TRY(reader.SkipToLast(lines));
  const OutputFormat format = flags.audit.format();
  Status status = flags.follow ? Follow(reader, format) : ShowLast(reader, format);
  reader.WarnOfDamage();
  return status;
}

ExitStatus Run(const TailFlags& flags) {
  const Status shown = Show(flags);
  return shown ? ExitStatus::kDone : ReportAuditError(shown.error(), flags.audit.format());
}

}  // namespace

void AddAuditTail(CLI::App& audit, ExitStatus& status) {
  CLI::App& command = *audit.add_subcommand("tail", "The last records, and those to come.");
  const auto flags = std::make_shared<TailFlags>();
  AddText(command, "-n,--lines", flags->lines, "How many (default 20)")->type_name("N");
  command.add_flag("-f,--follow", flags->follow, "Go on as records are added, until interrupted");
  AddAuditFlags(command, flags->audit, "Print the records as they stand in the log, one a line");
  command.footer("Example:\n  cordon audit tail -f -n 50");
  command.callback([flags, &status] { status = Run(*flags); });
}

}  // namespace cordon::cli
