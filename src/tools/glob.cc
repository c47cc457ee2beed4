#include "base/printable.h"
#include "base/try.h"
#include "search/glob_search.h"
#include "tools/all.h"
#include "tools/facts.h"
#include "tools/result_object.h"
#include "tools/searching.h"

namespace cordon::tools {
namespace {

namespace json = boost::json;

constexpr std::string_view kSorts[] = {"modified", "path"};
constexpr Field kInput[] = {
    {"pattern", FieldType::kText, Need::kRequired,
     "Of the path below the directory: **/*.ts for all TypeScript files, src/*.{h,cc} for those "
     "right in src. *, ?, ** (any number of directories), [a-z], [!a-z], {a,b}."},
    kSearchPathField,
    kRespectField,
    kHiddenField,
    {"sort", FieldType::kText, Need::kOptional, "Newest first by default, or by path.", kSorts},
    {"limit",
     FieldType::kInteger,
     Need::kOptional,
     "At most so many files; 1000 by default.",
     {},
     1,
     100'000},
};
constexpr Field kMatch[] = {
    {"path", FieldType::kPath, Need::kRequired, "As it can be asked for."},
    {"kind", FieldType::kText, Need::kRequired, "file, link, fifo, socket or device."},
    {"modified", FieldType::kText, Need::kOptional, "RFC 3339, UTC; when sorted by it."},
};
constexpr Field kOutput[] = {
    {"path", FieldType::kPath, Need::kRequired, "As it was asked for."},
    {"matches", FieldType::kObjectList, Need::kRequired, "", {}, {}, {}, kMatch},
    {"total", FieldType::kInteger, Need::kRequired, "Files that match, told or not."},
    {"truncated", FieldType::kFlag, Need::kRequired, "Whether the limit left something out."},
    kUnreadableField,
};

search::GlobTerms TermsOf(const Arguments& arguments) {
  search::GlobTerms terms;
  terms.pattern = arguments.Text("pattern");
  // Below the directory, however it was written.
  while (terms.pattern.starts_with("./")) terms.pattern.erase(0, 2);
  terms.selection = SelectionOf(arguments);
  if (arguments.TextOr("sort", "modified") == "path") terms.order = search::GlobOrder::kPath;
  terms.limit = static_cast<std::size_t>(arguments.IntegerOr("limit", 1000));
  return terms;
}

json::object MatchObject(const std::string& path, const search::GlobFound& found,
                         search::GlobOrder order, const json::storage_ptr& room) {
  json::object object(room);
  object.reserve(4);
  AddPath(object, "path", path);
  object["kind"] = KindName(found.type);
  if (order == search::GlobOrder::kNewestFirst) object["modified"] = Timestamp(found.modified_ns);
  return object;
}

Outcome RunGlob(Context& context, const Arguments& arguments) {
  const std::string path(arguments.TextOr("path", "."));
  const search::GlobTerms terms = TermsOf(arguments);
  TRY_ASSIGN(const std::unique_ptr<search::GlobSearch> search, search::GlobSearch::Make(terms));
  TRY_ASSIGN(const confine::SearchOutcome outcome,
             RunSearch(
                 context, path, confine::SearchReach::kNames, *search,
                 [&search] { return search->matched(); }, "files found"));
  const search::GlobAnswer found = search->Take();
  Answer answer{json::object(RoomForMuch()), {}};
  AddPath(answer.data, "path", path);
  json::array matches(answer.data.storage());
  if (context.wanted != Wanted::kText) matches.reserve(found.found.size());
  for (const search::GlobFound& match : found.found) {
    const std::string whole = PathToAsk(path, match.path, outcome);
    if (context.wanted != Wanted::kText) {
      matches.emplace_back(MatchObject(whole, match, terms.order, answer.data.storage()));
    }
    (answer.text += Printable(whole, whole.size())) += '\n';
  }
  const std::uint64_t left_out = found.matched - found.found.size();
  answer.data["matches"] = std::move(matches);
  answer.data["total"] = found.matched;
  answer.data["truncated"] = left_out > 0;
  answer.data["unreadable"] = outcome.failed;
  if (found.matched == 0) answer.text = "[no file matches]\n";
  if (left_out > 0) {
    answer.text += "[" + std::to_string(left_out) + " of " + std::to_string(found.matched) +
                   " files left out. To see them: a larger limit, or a narrower pattern]\n";
  }
  if (outcome.failed > 0) {
    answer.text += "[" + std::to_string(outcome.failed) + " directories could not be read]\n";
  }
  return answer;
}

}  // namespace

const Tool kGlob{
    "glob",
    "Find files",
    "Finds files by a pattern of their path, newest first. Leaves out what .gitignore and .ignore "
    "files name, and hidden files, unless told otherwise. Links are found, never followed.",
    policy::ToolKind::kRead,
    Effect::kNone,
    Repeat::kSame,
    kInput,
    kOutput,
    RunGlob};

}  // namespace cordon::tools
