// cordon audit stats: what the log adds up to, and a chart of it.
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "audit/timestamp.h"
#include "base/printable.h"
#include "base/try.h"
#include "cli/audit_chart.h"
#include "cli/audit_commands.h"
#include "cli/audit_place.h"
#include "cli/audit_statistics.h"
#include "cli/cells.h"
#include "cli/common_flags.h"
#include "cli/json_output.h"
#include "cli/output_style.h"
#include "cli/progress.h"
#include "cli/when.h"

namespace cordon::cli {
namespace {

namespace json = boost::json;

constexpr std::size_t kTopRows = 5;
constexpr std::size_t kMostKinds = 50;  // of events and decisions

struct StatsFlags {
  AuditFlags audit;
  std::optional<std::string> since;
  std::optional<std::string> by;
};

struct Found {
  AuditStatistics statistics;
  BucketSize by = BucketSize::kHour;
  std::uint64_t damaged = 0;
};

Result<std::optional<BucketSize>> ReadBucketSize(const StatsFlags& flags) {
  if (!flags.by) return std::optional<BucketSize>();
  for (const BucketSize size : {BucketSize::kMinute, BucketSize::kHour, BucketSize::kDay}) {
    if (*flags.by == BucketName(size)) return std::optional<BucketSize>(size);
  }
  return UsageError("--by: " + Quoted(*flags.by) + " is none of minute, hour, day");
}

Result<Found> Gather(const StatsFlags& flags) {
  std::optional<std::int64_t> since;
  if (flags.since) {
    TRY_ASSIGN(since, ParseWhen(*flags.since, SpanEnd::kSince, NowNs()));
  }
  TRY_ASSIGN(const std::optional<BucketSize> by, ReadBucketSize(flags));
  TRY_ASSIGN(audit::Reader reader, OpenLog(flags.audit));
  EntryReader entries(std::move(reader));
  Found found;
  {
    const Progress progress("Reading the log");
    TRY(entries.ReadNew([&](const audit::Entry& entry, std::string_view /*line*/) {
      if (!since || entry.time_ns >= *since) found.statistics.Add(entry);
      return audit::ReadOn::kYes;
    }));
  }
  found.by = by ? *by : found.statistics.FittingBuckets(kMostBars);
  found.damaged = entries.damaged();
  entries.WarnOfDamage();
  return found;
}

void PrintTally(std::string_view title, const Tally& tally, std::size_t rows,
                const OutputStyle& style) {
  const std::vector<Tally::Row> top = tally.Top(rows);
  if (top.empty()) return;
  std::cout << '\n' << Inked(title, Ink::kFaint, style.colour) << '\n';
  for (const auto& [text, count] : top) {
    const std::string number = std::to_string(count);
    std::cout << std::string(number.size() < 10 ? 10 - number.size() : 0, ' ') << number << "  "
              << FitMiddle(Printable(text), style.columns - 12) << '\n';
  }
  if (tally.others() != 0) std::cout << "  and others, " << tally.others() << " times\n";
}

void PrintText(const Found& found, const OutputStyle& style) {
  const AuditStatistics& all = found.statistics;
  std::cout << all.records << (all.records == 1 ? " record, " : " records, ") << all.operations
            << (all.operations == 1 ? " operation, " : " operations, ") << all.refusals
            << " refused\n";
  if (all.records != 0) {
    std::cout << audit::FormatSeconds(all.first_ns) << " to " << audit::FormatSeconds(all.last_ns)
              << '\n';
  }
  PrintTally("events", all.events, kMostKinds, style);
  PrintTally("decisions", all.decisions, kMostKinds, style);
  PrintTally("rules that refused most", all.refused_rules, kTopRows, style);
  PrintTally("paths refused most", all.refused_paths, kTopRows, style);
  const std::vector<Bucket> buckets = all.timeline(found.by).buckets();
  if (buckets.empty()) return;
  const bool unicode = style.glyphs == Glyphs::kUnicode;
  std::cout << "\noperations per " << BucketName(found.by) << ", UTC; "
            << Inked(unicode ? "▒" : "x", Ink::kRefused, style.colour) << " refused\n";
  for (const std::string& line : ChartLines(buckets, found.by, style)) std::cout << line << '\n';
}

json::object Counts(const Tally& tally) {
  json::object object;
  for (const auto& [text, count] : tally.Top(kMostKinds)) object[Printable(text)] = count;
  return object;
}

json::array TopRows(const Tally& tally, std::string_view key) {
  json::array rows;
  for (const auto& [text, count] : tally.Top(kTopRows)) {
    json::object row;
    AddBytes(row, key, text);
    row["count"] = count;
    rows.push_back(std::move(row));
  }
  return rows;
}

json::object Describe(const Found& found) {
  const AuditStatistics& all = found.statistics;
  json::object data;
  data["records"] = all.records;
  if (all.records != 0) {
    data["first"] = audit::FormatSeconds(all.first_ns);
    data["last"] = audit::FormatSeconds(all.last_ns);
  }
  data["operations"] = all.operations;
  data["refusals"] = all.refusals;
  data["events"] = Counts(all.events);
  data["decisions"] = Counts(all.decisions);
  data["refusedRules"] = TopRows(all.refused_rules, "rule");
  data["refusedPaths"] = TopRows(all.refused_paths, "path");
  data["by"] = BucketName(found.by);
  json::array buckets;
  for (const Bucket& bucket : all.timeline(found.by).buckets()) {
    buckets.push_back({{"time", audit::FormatSeconds(bucket.begin_ns)},
                       {"operations", bucket.operations},
                       {"refusals", bucket.refusals}});
  }
  data["buckets"] = std::move(buckets);
  data["damagedLines"] = found.damaged;
  return data;
}

ExitStatus Run(const StatsFlags& flags) {
  const Result<Found> found = Gather(flags);
  if (!found) return ReportAuditError(found.error(), flags.audit.format());
  if (flags.audit.format() == OutputFormat::kJson) {
    json::object result;
    result["success"] = true;
    result["data"] = Describe(*found);
    std::cout << Serialize(result) << '\n';
  } else {
    PrintText(*found, StyleOfStandardOutput());
  }
  return ExitStatus::kDone;
}

}  // namespace

void AddAuditStats(CLI::App& audit, ExitStatus& status) {
  CLI::App& command = *audit.add_subcommand(
      "stats", "What the log adds up to, with a chart of operations and refusals over time.");
  const auto flags = std::make_shared<StatsFlags>();
  AddText(command, "--since", flags->since, "Not before: a time, a date, or 90s, 10m, 2h, 3d ago")
      ->type_name("T");
  AddText(command, "--by", flags->by, "How wide a column is; default: the finest that fits")
      ->type_name("minute|hour|day");
  AddAuditFlags(command, flags->audit, "Print one JSON object instead of text");
  command.footer("Example:\n  cordon audit stats --since 7d --by day");
  command.callback([flags, &status] { status = Run(*flags); });
}

}  // namespace cordon::cli
