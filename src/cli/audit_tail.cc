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

class Tail {
 public:
  Tail(EntryReader reader, OutputFormat format) : reader_(std::move(reader)), format_(format) {}

  Status ShowLast(std::uint64_t lines) {
    TRY(reader_.SkipToLast(lines));
    return ShowNew();
  }

  // Until somebody asks to end, or nobody reads.
  Status Follow() {
    TRY_ASSIGN(const platform::OutputWatch watch, platform::OutputWatch::Begin());
    for (;;) {
      const bool written = static_cast<bool>(std::cout.flush());
      const platform::OutputWatch::End end =
          watch.Wait(written ? kPoll : std::chrono::milliseconds(0));
      if (end == platform::OutputWatch::End::kNobodyReads) std::cout.clear();  // as it should be
      if (!written || end != platform::OutputWatch::End::kTimeIsUp) break;
      TRY(ShowNew());
    }
    return {};
  }

  void WarnOfDamage() const { reader_.WarnOfDamage(); }

 private:
  Status ShowNew() {
    return reader_.ReadNew([this](const audit::Entry& entry, std::string_view line) {
      if (format_ == OutputFormat::kJson) {
        std::cout << line << '\n';
      } else {
        std::cout << RecordRow(entry, StyleOfStandardOutput()) << '\n';
      }
      return std::cout ? audit::ReadOn::kYes : audit::ReadOn::kStop;
    });
  }

  EntryReader reader_;
  OutputFormat format_;
};

Status Show(const TailFlags& flags) {
  TRY_ASSIGN(const std::uint64_t lines, ParseCount("-n", flags.lines.value_or("20")));
  TRY_ASSIGN(audit::Reader reader, OpenLog(flags.audit));
  Tail tail(EntryReader(std::move(reader)), flags.audit.format());
  Status status = tail.ShowLast(lines);
  if (status && flags.follow) status = tail.Follow();
  tail.WarnOfDamage();
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
  command.callback([flags, &status] { status = Run(*flags); });
}

}  // namespace cordon::cli
