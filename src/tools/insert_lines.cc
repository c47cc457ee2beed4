#include "base/printable.h"
#include "base/try.h"
#include "tools/all.h"
#include "tools/edit_fields.h"
#include "tools/edited_text.h"
#include "tools/result_object.h"

namespace cordon::tools {
namespace {

constexpr Field kInput[] = {
    kPathField,
    {"line",
     FieldType::kInteger,
     Need::kRequired,
     "The line after which the text comes; 0: at the beginning; -1: at the end.",
     {},
     -1},
    {"content", FieldType::kText, Need::kRequired, "Whole lines."},
    {"if_match", FieldType::kText, Need::kOptional, "Only if the file's etag is still this."},
    {"dry_run", FieldType::kFlag, Need::kOptional, "Only show the difference."},
    kDiffContextField,
};
constexpr Field kOutput[] = {
    {"path", FieldType::kPath, Need::kRequired, "As it was asked for."},
    {"diff", FieldType::kText, Need::kRequired, "Unified."},
    {"etag", FieldType::kText, Need::kRequired, "Of the new content."},
    {"start_line", FieldType::kInteger, Need::kRequired, "The first of the new lines."},
    {"end_line", FieldType::kInteger, Need::kRequired, "The last of them."},
};

// With the file's line ends, and one at the end.
std::string AsLines(std::string_view content, LineEnds ends) {
  std::string lines;
  for (std::size_t at = 0; at < content.size(); ++at) {
    const bool crlf = content.substr(at).starts_with("\r\n");
    if (crlf) ++at;
    if (content[at] == '\n') {
      lines += ends == LineEnds::kCrLf ? "\r\n" : "\n";
    } else {
      lines += content[at];
    }
  }
  if (!lines.ends_with('\n')) lines += ends == LineEnds::kCrLf ? "\r\n" : "\n";
  return lines;
}

// Where line `line` ends; nothing if there are not so many.
std::optional<std::size_t> EndOfLine(std::string_view text, std::int64_t line) {
  std::size_t at = 0;
  for (std::int64_t i = 0; i < line; ++i) {
    if (at == text.size()) return std::nullopt;
    const std::size_t newline = text.find('\n', at);
    at = newline == std::string_view::npos ? text.size() : newline + 1;
  }
  return at;
}

std::int64_t LinesIn(std::string_view text) {
  std::int64_t lines = 0;
  for (const char c : text) lines += c == '\n' ? 1 : 0;
  return lines;
}

Error NoSuchLine(std::string_view text) {
  Error error;
  error.code = ErrorCode::kInvalidArguments;
  error.op = "insert_lines";
  error.component = "line";
  const bool open_end = !text.empty() && text.back() != '\n';
  error.detail =
      "the file has only " + std::to_string(LinesIn(text) + (open_end ? 1 : 0)) + " lines";
  return error;
}

Outcome RunInsertLines(Context& context, const Arguments& arguments) {
  const std::string& path = arguments.Text("path");
  TRY_ASSIGN(const auto if_match, IfMatch(arguments));
  TRY_ASSIGN(const OpenedText opened, OpenText(context, path, if_match));
  const std::string& text = opened.text.text;
  const LineEnds ends = opened.text.form.ends;
  std::string lines = AsLines(arguments.Text("content"), ends);
  const std::int64_t line = arguments.IntegerOr("line", 0);
  const auto at = line < 0 ? text.size() : EndOfLine(text, line);
  if (!at) return NoSuchLine(text);
  const std::int64_t count = LinesIn(lines);
  std::int64_t first = LinesIn(std::string_view(text).substr(0, *at)) + 1;
  // Behind a last line that has no newline: that one gets it, the new last one has none.
  if (*at == text.size() && !text.empty() && text.back() != '\n') {
    const std::string_view end = ends == LineEnds::kCrLf ? "\r\n" : "\n";
    lines.resize(lines.size() - (lines.ends_with("\r\n") ? 2 : 1));
    lines.insert(0, end);
    ++first;
  }
  std::string next = text;
  next.insert(*at, lines);
  const Trial trial = arguments.Says("dry_run") ? Trial::kOnlyShow : Trial::kWrite;
  const auto shown = static_cast<std::size_t>(arguments.IntegerOr("diff_context", kDiffContext));
  TRY_ASSIGN(const StoredText stored, StoreText(context, opened, next, trial, shown));
  Answer answer;
  AddPath(answer.data, "path", path);
  answer.data["diff"] = ValidUtf8(stored.diff);
  answer.data["etag"] = EtagOf(stored.digest);
  answer.data["start_line"] = first;
  answer.data["end_line"] = first + count - 1;
  answer.text = (trial == Trial::kWrite ? "Inserted " : "Would insert ") + std::to_string(count) +
                (count == 1 ? " line into " : " lines into ") + Printable(path) + ".\n" +
                ValidUtf8(stored.diff);
  if (trial == Trial::kWrite) answer.changed.push_back(path);
  return answer;
}

}  // namespace

const Tool kInsertLines{
    "insert_lines",
    "Insert lines",
    "Inserts whole lines into a text file after a given line. The file keeps its line ends, byte "
    "order mark, encoding, final newline and permissions.",
    policy::ToolKind::kWrite,
    Effect::kReplaces,
    Repeat::kAgain,
    kInput,
    kOutput,
    RunInsertLines};

}  // namespace cordon::tools
