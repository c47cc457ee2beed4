#include "base/printable.h"
#include "base/try.h"
#include "tools/all.h"
#include "tools/facts.h"
#include "tools/listing.h"
#include "tools/result_object.h"

namespace cordon::tools {
namespace {

namespace json = boost::json;

constexpr std::string_view kSorts[] = {"name", "modified", "size"};
constexpr Field kInput[] = {
    {"path",
     FieldType::kPath,
     Need::kOptional,
     "The directory; the project root by default.",
     {},
     {},
     {},
     {},
     kPathAliases},
    {"ignore",
     FieldType::kTextList,
     Need::kOptional,
     "Patterns of names to leave out, such as *.o or node_modules; with a slash, of paths below "
     "the directory, such as /build or docs/**.",
     {},
     {},
     100},
    {"match", FieldType::kText, Need::kOptional,
     "Tell only what this pattern of paths below the directory matches, such as **/*.cc."},
    {"depth",
     FieldType::kInteger,
     Need::kOptional,
     "How many levels to show; 1 by default.",
     {},
     1,
     1024},
    {"sort", FieldType::kText, Need::kOptional,
     "By name, directories first; newest first; or largest first.", kSorts},
    {"limit",
     FieldType::kInteger,
     Need::kOptional,
     "At most so many entries; 1000 by default.",
     {},
     1,
     kMaxCounted},
};
constexpr Field kEntry[] = {
    {"path", FieldType::kPath, Need::kRequired, "Below the directory."},
    {"kind", FieldType::kText, Need::kRequired, ""},
    {"size", FieldType::kInteger, Need::kOptional, "Of a file."},
    {"modified", FieldType::kText, Need::kRequired, ""},
    {"left_out", FieldType::kInteger, Need::kOptional,
     "Entries in this directory that are not shown because of the depth."},
};
constexpr Field kOutput[] = {
    {"path", FieldType::kPath, Need::kRequired, "As it was asked for."},
    {"entries", FieldType::kObjectList, Need::kRequired, "", {}, {}, {}, kEntry},
    {"total", FieldType::kInteger, Need::kRequired, "Entries within the depth, shown or not."},
    {"ignored", FieldType::kInteger, Need::kRequired, "Left out because of a pattern."},
    {"truncated", FieldType::kFlag, Need::kRequired, "Whether the limit left something out."},
};

ListingRequest RequestOf(const Arguments& arguments) {
  ListingRequest request;
  request.path = arguments.TextOr("path", ".");
  request.ignore = arguments.Texts("ignore");
  request.match = arguments.Text("match");
  request.depth = static_cast<std::size_t>(arguments.IntegerOr("depth", 1));
  request.limit = static_cast<std::size_t>(arguments.IntegerOr("limit", 1000));
  const std::string_view sort = arguments.TextOr("sort", "name");
  if (sort == "modified") request.sort = ListingRequest::Sort::kModified;
  if (sort == "size") request.sort = ListingRequest::Sort::kSize;
  return request;
}

json::object EntryObject(const ListedEntry& entry) {
  json::object object;
  AddPath(object, "path", entry.path);
  object["kind"] = KindName(entry.stat.type);
  if (entry.stat.type == platform::FileType::kRegular) object["size"] = entry.stat.size;
  object["modified"] = Timestamp(entry.stat.modified_ns);
  if (entry.left_out > 0) object["left_out"] = entry.left_out;
  return object;
}

std::string LineOf(const ListedEntry& entry) {
  const auto levels =
      static_cast<std::size_t>(std::count(entry.path.begin(), entry.path.end(), '/'));
  const std::string name = entry.path.substr(entry.path.rfind('/') + 1);
  std::string line = std::string(2 * levels, ' ') + Printable(name);
  if (entry.stat.type == platform::FileType::kDirectory) line += '/';
  if (entry.stat.type == platform::FileType::kSymlink) line += '@';
  if (entry.left_out > 0) {
    line += "  [" + std::to_string(entry.left_out) + " inside]";
  }
  return line + '\n';
}

Outcome RunListDirectory(Context& context, const Arguments& arguments) {
  const ListingRequest request = RequestOf(arguments);
  TRY_ASSIGN(const Listing listing, ListTree(context, request));
  Answer answer;
  AddPath(answer.data, "path", request.path);
  json::array entries;
  for (const ListedEntry& entry : listing.entries) {
    entries.emplace_back(EntryObject(entry));
    answer.text += LineOf(entry);
  }
  const std::size_t hidden = listing.total - listing.entries.size();
  answer.data["total"] = listing.total;
  answer.data["ignored"] = listing.ignored;
  answer.data["truncated"] = hidden > 0;
  if (listing.entries.empty()) answer.text = "[" + Printable(request.path) + " is empty]\n";
  if (hidden > 0) {
    answer.text += "[" + std::to_string(hidden) + " of " + std::to_string(listing.total) +
                   " entries left out. To see them: a larger limit, or a directory below]\n";
  }
  if (listing.ignored > 0) {
    answer.text += "[" + std::to_string(listing.ignored) + " ignored by pattern]\n";
  }
  answer.data["entries"] = std::move(entries);
  return answer;
}

}  // namespace

const Tool kListDirectory{
    "list_directory",
    "List directory",
    "Lists a directory, to a given depth, with kinds, sizes and times, and says how much was left "
    "out. Links are shown, never followed.",
    policy::ToolKind::kRead,
    Effect::kNone,
    Repeat::kSame,
    kInput,
    kOutput,
    RunListDirectory};

}  // namespace cordon::tools
