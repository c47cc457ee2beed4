#include "cli/audit_table.h"

#include <algorithm>
#include <string_view>

#include "audit/timestamp.h"
#include "base/printable.h"
#include "cli/cells.h"

namespace cordon::cli {
namespace {

constexpr std::size_t kTimeCells = 20;
constexpr std::size_t kEventCells = 17;
constexpr std::size_t kDecisionCells = 8;

std::size_t ToolCells(const OutputStyle& style) {
  if (style.columns >= 120) return 14;
  return style.columns >= 90 ? 10 : 0;
}

// What is left of the line for the path and what follows it.
std::size_t Room(const OutputStyle& style) {
  const std::size_t tool = ToolCells(style);
  const std::size_t used =
      kTimeCells + kEventCells + kDecisionCells + 3 + (tool == 0 ? 0 : tool + 1);
  return style.columns > used ? style.columns - used : 0;
}

// Where the last column begins, as long as paths leave it room.
std::size_t PathCells(const OutputStyle& style) {
  const std::size_t room = Room(style);
  return room > 44 ? room - 22 : room / 2;
}

// What an operation came to, for its end; else what was decided.
std::string_view Outcome(const audit::Entry& entry) {
  if (entry.phase != "end" || entry.decision == "denied") return entry.decision;
  return entry.error.empty() ? "done" : "failed";
}

// What the record is about.
std::string Subject(const audit::Entry& entry) {
  if (!entry.asked.empty() || !entry.resolved.empty()) {
    std::string text = Printable(entry.asked.empty() ? entry.resolved : entry.asked);
    if (!entry.target.empty()) text += " -> " + Printable(entry.target);
    return text;
  }
  if (entry.lost != 0) return std::to_string(entry.lost) + " records lost";
  if (!entry.question.empty()) return "question " + Printable(entry.question);
  if (entry.event.starts_with("session.")) return Printable(entry.session);
  return "";
}

std::string Remark(const audit::Entry& entry) {
  std::string text = Printable(!entry.violation.empty() ? entry.violation
                               : !entry.error.empty()   ? entry.error
                                                        : entry.choice);
  if (entry.unprotected) text += text.empty() ? "unprotected" : ", unprotected";
  return text;
}

Ink InkOf(std::string_view outcome) {
  if (outcome == "denied" || outcome == "failed") return Ink::kRefused;
  return outcome == "asked" ? Ink::kAsked : Ink::kPlain;
}

std::string WithoutSpacesAtTheEnd(std::string text) {
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

}  // namespace

std::string RecordHeader(const OutputStyle& style) {
  std::string text = Column("TIME", kTimeCells) + " " + Column("EVENT", kEventCells) + " " +
                     Column("DECISION", kDecisionCells) + " ";
  if (const std::size_t tool = ToolCells(style)) text += Column("TOOL", tool) + " ";
  text += Column("PATH", PathCells(style)) + "  ERROR";
  return Inked(FitMiddle(text, style.columns), Ink::kFaint, style.colour);
}

std::string RecordRow(const audit::Entry& entry, const OutputStyle& style) {
  const std::string_view outcome = Outcome(entry);
  const Ink ink = InkOf(outcome);
  std::string row =
      Inked(Column(audit::FormatSeconds(entry.time_ns), kTimeCells), Ink::kFaint, style.colour);
  row += " " + Column(Printable(entry.event), kEventCells) + " ";
  row += Inked(Column(Printable(outcome), kDecisionCells), ink, style.colour);
  if (const std::size_t tool = ToolCells(style)) row += " " + Column(Printable(entry.tool), tool);
  const std::size_t room = Room(style);
  const std::string remark = FitMiddle(Remark(entry), room * 2 / 3);
  std::string subject = Subject(entry);
  if (remark.empty()) return WithoutSpacesAtTheEnd(row + " " + FitMiddle(subject, room));
  const std::size_t most = room - CellWidth(remark) - 2;
  subject = FitMiddle(subject, most);
  if (const std::size_t usual = std::min(PathCells(style), most); CellWidth(subject) < usual) {
    subject = Column(subject, usual);
  }
  row += " " + subject + "  ";
  return row + Inked(remark, ink == Ink::kPlain ? Ink::kAsked : ink, style.colour);
}

}  // namespace cordon::cli
