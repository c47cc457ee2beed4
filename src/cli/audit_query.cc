// cordon audit query: the records that match.
#include <deque>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/try.h"
#include "cli/audit_commands.h"
#include "cli/audit_filter.h"
#include "cli/audit_place.h"
#include "cli/audit_table.h"
#include "cli/common_flags.h"
#include "cli/when.h"

namespace cordon::cli {
namespace {

struct QueryFlags {
  AuditFlags audit;
  std::optional<std::string> since, until, session, decision, path, tool, limit;
  std::vector<std::string> events;
};

Result<AuditFilter> ReadFilter(const QueryFlags& flags) {
  AuditFilter filter;
  const std::int64_t now = NowNs();
  if (flags.since) {
    TRY_ASSIGN(filter.since_ns, ParseWhen(*flags.since, SpanEnd::kSince, now));
  }
  if (flags.until) {
    TRY_ASSIGN(filter.until_ns, ParseWhen(*flags.until, SpanEnd::kUntil, now));
  }
  for (const std::string& event : flags.events) TRY(CheckEventName(event));
  if (flags.decision) TRY(CheckDecisionName(*flags.decision));
  if (flags.path) {
    TRY_ASSIGN(filter.path, PathFilter::Compile(*flags.path));
  }
  filter.events = flags.events;
  filter.decision = flags.decision;
  filter.session = flags.session;
  filter.tool = flags.tool;
  return filter;
}

Status Query(const QueryFlags& flags) {
  TRY_ASSIGN(const AuditFilter filter, ReadFilter(flags));
  std::optional<std::uint64_t> limit;
  if (flags.limit) {
    TRY_ASSIGN(limit, ParseCount("--limit", *flags.limit));
  }
  TRY_ASSIGN(audit::Reader reader, OpenLog(flags.audit));
  EntryReader entries(std::move(reader));
  const OutputStyle style = StyleOfStandardOutput();
  const bool as_json = flags.audit.format() == OutputFormat::kJson;
  if (!as_json) std::cout << RecordHeader(style) << '\n';
  std::deque<std::string> last;  // with a limit: the newest so far
  Status status = entries.ReadNew([&](const audit::Entry& entry, std::string_view line) {
    if (!filter.Matches(entry)) return audit::ReadOn::kYes;
    std::string shown = as_json ? std::string(line) : RecordRow(entry, style);
    if (limit) {
      last.push_back(std::move(shown));
      if (last.size() > *limit) last.pop_front();
    } else {
      std::cout << shown << '\n';
    }
    return std::cout ? audit::ReadOn::kYes : audit::ReadOn::kStop;
  });
  for (const std::string& shown : last) std::cout << shown << '\n';
  entries.WarnOfDamage();
  return status;
}

ExitStatus Run(const QueryFlags& flags) {
  const Status done = Query(flags);
  return done ? ExitStatus::kDone : ReportAuditError(done.error(), flags.audit.format());
}

}  // namespace

void AddAuditQuery(CLI::App& audit, ExitStatus& status) {
  CLI::App& command = *audit.add_subcommand("query", "The records that match every condition.");
  const auto flags = std::make_shared<QueryFlags>();
  AddText(command, "--since", flags->since, "Not before: a time, a date, or 90s, 10m, 2h, 3d ago")
      ->type_name("T");
  AddText(command, "--until", flags->until, "Not after: the same; of a date, its end")
      ->type_name("T");
  AddText(command, "--session", flags->session, "Of this session")->type_name("ID");
  AddTexts(command, "--event", flags->events,
           "Such as file.read; file. is every event of files. Repeatable: any of them")
      ->type_name("E");
  AddText(command, "--decision", flags->decision, "What was decided")
      ->type_name("allowed|asked|denied");
  AddText(command, "--path", flags->path,
          "A name or path, with all below it, as in deny rules: '*.pem', 'src/**', '/etc/**'")
      ->type_name("GLOB");
  AddText(command, "--tool", flags->tool, "Of this tool")->type_name("NAME");
  AddText(command, "--limit", flags->limit, "The newest N of them")->type_name("N");
  AddAuditFlags(command, flags->audit, "Print the records as they stand in the log, one a line");
  command.footer(
      "Times are RFC 3339 (2026-11-15T13:42:13Z); dates are in UTC.\n"
      "Examples:\n"
      "  cordon audit query --since 2h --decision denied\n"
      "  cordon audit query --event consent. --event sandbox.violation --json\n"
      "  cordon audit query --path '.env*' --since 2026-11-01 --until 2026-11-15");
  command.callback([flags, &status] { status = Run(*flags); });
}

}  // namespace cordon::cli
