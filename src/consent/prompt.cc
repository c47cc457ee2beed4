#include "consent/prompt.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "base/unicode.h"
#include "consent/line_flow.h"
#include "consent/shown_text.h"

namespace cordon::consent {
namespace {

using Lines = std::vector<std::string>;

constexpr std::size_t kMaxPreviewRows = 10;  // the whole prompt fits into 24 rows
constexpr std::size_t kMaxFactBytes = 256;
constexpr std::string_view kTitle = "Sandbox Protection";
constexpr std::string_view kShield = "\U0001F6E1\uFE0F  ";
constexpr std::size_t kShieldCells = 4;

void Add(Lines& lines, const LineFlow& flow) {
  Lines more = flow.lines();
  std::move(more.begin(), more.end(), std::back_inserter(lines));
}

std::string_view Verb(Operation operation) {
  switch (operation) {
    case Operation::kRead: return "read";
    case Operation::kWrite: return "write to";
    case Operation::kCreate: return "create";
    case Operation::kDelete: return "delete";
    case Operation::kList: return "list";
    case Operation::kStat: return "look at";
    case Operation::kMkdir: return "make the directory";
    case Operation::kRename: return "rename";
  }
  return "use";
}

// One choice in words: our own around a name.
struct Wording {
  std::string_view before;
  std::string_view name;
  std::string_view after;
};

std::string_view TextOf(const std::optional<std::string>& text) {
  return text ? std::string_view(*text) : std::string_view();
}

Wording WordingOf(const Question& question, Choice choice) {
  switch (choice) {
    case Choice::kDeny: return {"Deny", "", ""};
    case Choice::kOnce: return {"Allow once", "", ""};
    case Choice::kDirectory: return {"Allow all operations in ", TextOf(question.directory), ""};
    case Choice::kTool: return {"Allow ", TextOf(question.trusted), " for this session"};
  }
  return {"Deny", "", ""};
}

// At most one choice is broader than "once": the one that fits why the person is asked.
std::optional<Choice> BroadChoice(const Question& question) {
  const bool outside = question.reason == Reason::kOutside;
  for (const Choice choice : {outside ? Choice::kDirectory : Choice::kTool,
                              outside ? Choice::kTool : Choice::kDirectory}) {
    if (question.Offers(choice)) return choice;
  }
  return std::nullopt;
}

PromptOption MakeOption(char key, const Question& question, Choice choice) {
  const Wording words = WordingOf(question, choice);
  return {key, choice,
          std::string(words.before) + Join(ShowName(words.name)) + std::string(words.after)};
}

// Only what is agreed to is shown whole. The rest must not push it out of the window.
std::vector<Glyph> ShowFact(std::string_view untrusted) {
  std::size_t end = 0;
  while (end < untrusted.size() && end < kMaxFactBytes) {
    end += unicode::DecodeFirst(untrusted.substr(end)).length;
  }
  std::vector<Glyph> glyphs = ShowName(untrusted.substr(0, end));
  if (end < untrusted.size()) {
    for (const char c : "... (" + std::to_string(untrusted.size()) + " bytes)") {
      glyphs.push_back({std::string(1, c), 1});
    }
  }
  return glyphs;
}

void AddFact(Lines& lines, std::size_t columns, std::string_view label, std::string_view text) {
  if (text.empty()) return;
  Add(lines, LineFlow(columns, "  ").Words(label).Glyphs(ShowFact(text)));
}

// Between quotes it cannot close, and `after` them: nothing is broken off.
std::vector<Glyph> QuotedName(std::string_view untrusted, std::string_view after) {
  std::vector<Glyph> glyphs = ShowFact(untrusted);
  glyphs.insert(glyphs.begin(), {"\"", 1});
  glyphs.push_back({"\"" + std::string(after), 1 + after.size()});
  return glyphs;
}

void AddAsker(Lines& lines, std::size_t columns, const Question& question) {
  using Part = std::pair<std::string_view, std::string_view>;
  std::vector<Part> parts = {
      {"", question.tool}, {" agent ", question.actor}, {" session ", question.session}};
  std::erase_if(parts, [](const Part& part) { return part.second.empty(); });
  if (parts.empty()) return;
  LineFlow flow(columns, "  ");
  flow.Words(parts.front().first.empty() ? "Asked by " : "Asked by");
  for (const Part& part : parts) {
    flow.Words(part.first).Glyphs(QuotedName(part.second, &part == &parts.back() ? "" : ","));
  }
  Add(lines, flow);
}

std::string CountLeftOut(std::string_view rest, std::string_view where) {
  const auto newlines = static_cast<std::size_t>(std::count(rest.begin(), rest.end(), '\n'));
  const std::size_t count = newlines + (rest.empty() || rest.ends_with('\n') ? 0 : 1);
  return "(" + std::string(where) + std::to_string(count) +
         (count == 1 ? " more line is not shown)" : " more lines are not shown)");
}

// What would take more rows than there are for it is cut, and what was cut is counted.
void AddPreview(Lines& lines, std::size_t columns, std::string_view preview) {
  if (preview.empty()) return;
  lines.emplace_back();
  std::size_t left = kMaxPreviewRows;
  std::string_view where;
  while (!preview.empty() && left > 0) {
    const std::size_t end = std::min(preview.find('\n'), preview.size());
    // A cell holds a character of four bytes with two marks of four bytes at most, so
    // more than this would not fit anyway.
    const std::size_t most = left * columns * 12;
    Lines rows = LineFlow(columns, kPreviewGutter, kPreviewFurtherGutter)
                     .Glyphs(ShowPreviewLine(preview.substr(0, std::min(end, most))))
                     .lines();
    if (rows.size() > left) {
      rows.resize(left);
      where = "cut here; ";
    }
    left -= rows.size();
    std::move(rows.begin(), rows.end(), std::back_inserter(lines));
    preview.remove_prefix(std::min(end + 1, preview.size()));
  }
  if (!preview.empty() || !where.empty()) {
    Add(lines, LineFlow(columns, "  ").Words(CountLeftOut(preview, where)));
  }
}

void AddOptions(Lines& lines, std::size_t columns, const Question& question, std::size_t marked) {
  const std::vector<PromptOption> options = OptionsOf(question);
  for (std::size_t i = 0; i < options.size(); ++i) {
    const Wording words = WordingOf(question, options[i].choice);
    const std::string start =
        std::string(i == marked ? "> [" : "  [") + options[i].key + std::string("] ");
    Add(lines, LineFlow(columns, start)
                   .Words(words.before)
                   .Glyphs(ShowName(words.name))
                   .Words(words.after));
  }
}

// ": write to /etc/hosts"
Lines WithAct(LineFlow& flow, const Question& question) {
  if (!question.command.empty()) {
    return flow.Words(": run ").Glyphs(ShowName(question.command)).lines();
  }
  flow.Words(": " + std::string(Verb(question.operation)) + " ").Glyphs(ShowName(question.path));
  if (!question.target.empty()) flow.Words(" to ").Glyphs(ShowName(question.target));
  return flow.lines();
}

std::string_view Why(const Question& question) {
  switch (question.reason) {
    case Reason::kOutside: return "This path is outside the sandbox.";
    case Reason::kTool: return "This kind of tool asks first.";
    case Reason::kRule: return "A rule asks about this command.";
  }
  return "";
}

// Up to the blank line before the reason.
void AddFacts(Lines& lines, std::size_t columns, const Question& question) {
  if (!question.command.empty()) {
    Add(lines,
        LineFlow(columns, "").Words("Tool wants to run: ").Glyphs(ShowName(question.command)));
    Add(lines, LineFlow(columns, "  ").Words("In: ").Glyphs(ShowName(question.path)));
    AddAsker(lines, columns, question);
    AddPreview(lines, columns, question.preview);
    lines.emplace_back();
    return;
  }
  Add(lines, LineFlow(columns, "")
                 .Words("Tool wants to " + std::string(Verb(question.operation)) + ": ")
                 .Glyphs(ShowName(question.path)));
  if (!question.target.empty()) {
    Add(lines, LineFlow(columns, "  ").Words("To: ").Glyphs(ShowName(question.target)));
  }
  AddAsker(lines, columns, question);
  AddFact(lines, columns, "State: ", question.state);
  if (question.asked != question.path) AddFact(lines, columns, "As asked: ", question.asked);
  AddPreview(lines, columns, question.preview);
  lines.emplace_back();
}

std::string Title(std::size_t columns) {
  const bool roomy = columns >= kShieldCells + kTitle.size();
  return std::string(roomy ? kShield : "") + std::string(kTitle);
}

}  // namespace

std::vector<PromptOption> OptionsOf(const Question& question) {
  std::vector<PromptOption> options = {MakeOption('1', question, Choice::kOnce)};
  if (const std::optional<Choice> broad = BroadChoice(question)) {
    options.push_back(MakeOption('2', question, *broad));
  }
  options.push_back(MakeOption('3', question, Choice::kDeny));
  return options;
}

std::vector<std::string> PromptLines(const Question& question, std::size_t marked,
                                     std::size_t columns) {
  columns = std::max(columns, kMinColumns);
  Lines lines = {Title(columns), ""};
  AddFacts(lines, columns, question);
  Add(lines, LineFlow(columns, "").Words(Why(question)).Words(" Choose an option:"));
  AddOptions(lines, columns, question, marked);
  lines.emplace_back();
  lines.emplace_back("Choice:");
  return lines;
}

std::vector<std::string> FactLines(const Question& question, std::size_t columns) {
  columns = std::max(columns, kMinColumns);
  Lines lines;
  AddFacts(lines, columns, question);
  Add(lines, LineFlow(columns, "").Words(Why(question)));
  return lines;
}

std::vector<std::string> ChosenLines(const Question& question, Choice choice, std::size_t columns) {
  const Wording words = WordingOf(question, choice);
  LineFlow flow(std::max(columns, kMinColumns), "");
  flow.Words(words.before).Glyphs(ShowName(words.name)).Words(words.after);
  return WithAct(flow, question);
}

std::vector<std::string> EndedLines(const Question& question, std::string_view happened,
                                    std::size_t columns) {
  LineFlow flow(std::max(columns, kMinColumns), "");
  flow.Words(happened);
  return WithAct(flow, question);
}

}  // namespace cordon::consent
