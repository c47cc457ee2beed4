// cordon audit verify: is the log as it was written?
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "audit/verify.h"
#include "base/printable.h"
#include "base/sha256.h"
#include "base/try.h"
#include "cli/audit_commands.h"
#include "cli/audit_place.h"
#include "cli/common_flags.h"
#include "cli/json_output.h"
#include "cli/progress.h"
#include "confine/ambient_authority.h"

namespace cordon::cli {
namespace {

namespace json = boost::json;

struct VerifyFlags {
  AuditFlags audit;
  std::optional<std::string> from;
  std::vector<std::string> expected;
};

Result<audit::Anchor> ParseAnchor(const std::string& text) {
  const std::size_t colon = text.find(':');
  const auto hash = FromHex(colon == std::string::npos ? "" : text.substr(colon + 1));
  const auto seq = ParseCount("--expect", text.substr(0, colon));
  if (!hash || !seq || *seq == 0) {
    return UsageError("--expect: " + Quoted(text) +
                      " is not a record; use SEQ:HASH, as verify prints it");
  }
  return audit::Anchor{*seq, *hash};
}

Result<audit::VerifyOptions> ReadOptions(const VerifyFlags& flags) {
  audit::VerifyOptions options;
  if (flags.from) {
    TRY_ASSIGN(options.first, ParseCount("--from", *flags.from));
    if (options.first == 0) return UsageError("--from: records are counted from 1");
  }
  for (const std::string& text : flags.expected) {
    TRY_ASSIGN(const audit::Anchor anchor, ParseAnchor(text));
    options.anchors.push_back(anchor);
  }
  return options;
}

std::string HeadText(const audit::Verification& found) {
  return std::to_string(found.last) + ":" + ToHex(found.head);
}

void PrintNotes(const audit::Verification& found) {
  for (const std::string& note : found.notes) {
    std::cout << "  note       " << Printable(note, kMaxSentenceBytes) << '\n';
  }
}

void PrintWhole(const audit::Verification& found) {
  std::cout << "verified: " << found.records << (found.records == 1 ? " record" : " records");
  if (found.records != 0) {
    std::cout << ", " << found.first << '-' << found.last << ", head " << HeadText(found);
  }
  std::cout << '\n';
  PrintNotes(found);
}

void PrintDamage(const audit::Verification& found) {
  const audit::Finding& damage = *found.damage;
  std::cout << "damaged: " << audit::DamageName(damage.damage) << "\n  file       "
            << Quoted(damage.file) << '\n';
  if (damage.line != 0) std::cout << "  line       " << damage.line << '\n';
  if (damage.seq != 0) std::cout << "  record     " << damage.seq << '\n';
  std::cout << "  what       " << Printable(damage.detail, kMaxSentenceBytes) << '\n';
  if (found.records != 0) {
    std::cout << "  good       " << found.first << '-' << found.last << '\n';
  }
  PrintNotes(found);
}

json::object Describe(const audit::Verification& found) {
  json::object data;
  data["records"] = found.records;
  if (found.records != 0) {
    data["first"] = found.first;
    data["last"] = found.last;
    data["head"] = HeadText(found);
  }
  data["notes"] = TextArray(found.notes);
  if (found.damage) {
    json::object damage;
    damage["kind"] = audit::DamageName(found.damage->damage);
    AddBytes(damage, "file", found.damage->file);
    if (found.damage->line != 0) damage["line"] = found.damage->line;
    if (found.damage->seq != 0) damage["record"] = found.damage->seq;
    damage["detail"] = Printable(found.damage->detail, kMaxSentenceBytes);
    data["damage"] = std::move(damage);
  }
  return data;
}

Result<audit::Verification> Verify(const VerifyFlags& flags) {
  TRY_ASSIGN(const audit::VerifyOptions options, ReadOptions(flags));
  TRY_ASSIGN(const audit::LogPlace place, FindLog(flags.audit));
  Result<audit::Verification> found = [&] {
    const Progress progress("Verifying the log");
    return audit::Verify(place, options, confine::AmbientAuthority::OfThisProcess());
  }();
  if (found || found.error().code != ErrorCode::kNotFound) return found;
  TRY(OpenLog(flags.audit));  // says it better
  Error error = found.error();
  error.component = place.key_file;
  error.detail = "the log is there but not its key " + Quoted(place.key_file) +
                 "; without it nobody can tell whether the log is whole";
  return error;
}

ExitStatus Run(const VerifyFlags& flags) {
  const Result<audit::Verification> found = Verify(flags);
  if (!found) return ReportAuditError(found.error(), flags.audit.format());
  if (flags.audit.format() == OutputFormat::kJson) {
    json::object result;
    result["success"] = !found->damage.has_value();
    result["data"] = Describe(*found);
    std::cout << Serialize(result) << '\n';
  } else if (found->damage) {
    PrintDamage(*found);
  } else {
    PrintWhole(*found);
  }
  return found->damage ? ExitStatus::kRefused : ExitStatus::kDone;
}

}  // namespace

void AddAuditVerify(CLI::App& audit, ExitStatus& status) {
  CLI::App& command = *audit.add_subcommand(
      "verify", "Is the log as it was written? Names the first record that is not.");
  const auto flags = std::make_shared<VerifyFlags>();
  AddText(command, "--from", flags->from, "Begin with this record: older files were archived")
      ->type_name("SEQ");
  AddTexts(command, "--expect", flags->expected,
           "This record must be there: the head of an earlier verify. Repeatable")
      ->type_name("SEQ:HASH");
  AddAuditFlags(command, flags->audit, "Print one JSON object instead of text");
  command.footer(
      "Exit status: 0 whole, 1 damaged, 2 usage error, no log or no key, 3 it cannot be read.\n"
      "Write the head down elsewhere: with it a later verify notices even that log and head\n"
      "together were put back to an earlier state.\n"
      "Example:\n"
      "  cordon audit verify --expect 1024:9f86d081");
  command.callback([flags, &status] { status = Run(*flags); });
}

}  // namespace cordon::cli
