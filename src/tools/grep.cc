#include "base/try.h"
#include "search/grep_search.h"
#include "tools/all.h"
#include "tools/grep_answer.h"
#include "tools/searching.h"

namespace cordon::tools {
namespace {

constexpr std::string_view kModes[] = {"regex", "literal"};
constexpr std::string_view kCases[] = {"sensitive", "insensitive", "smart"};
constexpr std::string_view kOutputs[] = {"lines", "files", "count"};
constexpr Field kInput[] = {
    {"pattern", FieldType::kText, Need::kRequired,
     "A regular expression (RE2), or plain text with mode literal."},
    kSearchPathField,
    {"mode", FieldType::kText, Need::kOptional, "regex by default.", kModes},
    {"case", FieldType::kText, Need::kOptional,
     "sensitive by default; smart: insensitive unless the pattern has a capital letter.", kCases},
    {"multiline", FieldType::kFlag, Need::kOptional,
     "Whether a match may go over several lines; false by default."},
    {"include",
     FieldType::kTextList,
     Need::kOptional,
     "Only files that match one of these, such as *.ts or src/**.",
     {},
     {},
     100},
    {"exclude",
     FieldType::kTextList,
     Need::kOptional,
     "No file or directory that matches one of these.",
     {},
     {},
     100},
    {"context",
     FieldType::kInteger,
     Need::kOptional,
     "So many lines before and after each match; none by default.",
     {},
     0,
     50},
    {"output", FieldType::kText, Need::kOptional,
     "The lines by default; or only which files, or how many lines in each.", kOutputs},
    {"limit",
     FieldType::kInteger,
     Need::kOptional,
     "At most so many lines that match, or files; 200 by default.",
     {},
     1,
     100'000},
    {"offset",
     FieldType::kInteger,
     Need::kOptional,
     "So many of them are left out first: next_offset of the call before.",
     {},
     0,
     1'000'000'000},
    kRespectField,
    kHiddenField,
};

search::GrepTerms TermsOf(const Arguments& arguments) {
  search::GrepTerms terms;
  terms.pattern = arguments.Text("pattern");
  if (arguments.TextOr("mode", "regex") == "literal") {
    terms.pattern_terms.mode = search::PatternMode::kLiteral;
  }
  const std::string_view letter_case = arguments.TextOr("case", "sensitive");
  if (letter_case == "insensitive") {
    terms.pattern_terms.letter_case = search::LetterCase::kInsensitive;
  } else if (letter_case == "smart") {
    terms.pattern_terms.letter_case = search::LetterCase::kSmart;
  }
  if (arguments.Says("multiline")) terms.pattern_terms.across = search::AcrossLines::kYes;
  terms.selection = SelectionOf(arguments);
  terms.selection.include = arguments.Texts("include");
  terms.selection.exclude = arguments.Texts("exclude");
  const std::string_view output = arguments.TextOr("output", "lines");
  if (output == "files") terms.output = search::GrepOutput::kFiles;
  if (output == "count") terms.output = search::GrepOutput::kCount;
  terms.context = static_cast<std::size_t>(arguments.IntegerOr("context", 0));
  terms.limit = static_cast<std::size_t>(arguments.IntegerOr("limit", 200));
  terms.offset = static_cast<std::size_t>(arguments.IntegerOr("offset", 0));
  return terms;
}

Outcome RunGrep(Context& context, const Arguments& arguments) {
  const std::string path(arguments.TextOr("path", "."));
  const search::GrepTerms terms = TermsOf(arguments);
  TRY_ASSIGN(const std::unique_ptr<search::GrepSearch> search, search::GrepSearch::Make(terms));
  TRY_ASSIGN(const confine::SearchOutcome outcome,
             RunSearch(
                 context, path, confine::SearchReach::kContents, *search,
                 [&search] { return search->searched(); }, "files searched"));
  return TellGrep(path, terms, search->Take(), outcome, context.wanted);
}

}  // namespace

const Tool kGrep{
    "grep",
    "Search in files",
    "Searches the content of files for a pattern, line by line, and tells lines with their "
    "numbers, files or counts, sorted by path. Leaves out binary files, hidden files and what "
    ".gitignore and .ignore files name. Links are never followed.",
    policy::ToolKind::kRead,
    Effect::kNone,
    Repeat::kSame,
    kInput,
    kGrepOutput,
    RunGrep};

}  // namespace cordon::tools
