// The tools of Lace that write.
#include "tools/all.h"
#include "tools/dialects.h"

namespace cordon::tools::dialect {
namespace {

constexpr Field kWriteInput[] = {
    kPathField, {"content", FieldType::kText, Need::kRequired, "All that the file shall hold."}};
constexpr Field kEditInput[] = {
    kPathField,
    {"old_text", FieldType::kText, Need::kRequired, "What to replace, as the file has it."},
    {"new_text", FieldType::kText, Need::kRequired, "What takes its place."},
};
constexpr Field kInsertInput[] = {
    kPathField,
    {"content", FieldType::kText, Need::kRequired, "Whole lines."},
    {.name = "line",
     .type = FieldType::kInteger,
     .description = "The line after which they come; at the end if not given.",
     .least = 0},
};

constexpr Binding kWriteBindings[] = {{"path", "path"}, {"content", "content"}};
constexpr Binding kEditBindings[] = {
    {"path", "path"}, {"old_string", "old_text"}, {"new_string", "new_text"}};
Result<boost::json::value> LineOrEnd(const Arguments& given) {
  return boost::json::value(given.IntegerOr("line", -1));
}
constexpr Binding kInsertBindings[] = {
    {"path", "path"}, {"content", "content"}, {.ours = "line", .convert = LineOrEnd}};

const Row kRows[] = {
    {"file_write",
     "Write file",
     "Writes a whole file; missing directories are made.",
     Effect::kReplaces,
     Repeat::kSame,
     kWriteInput,
     kWriteFile.output,
     &kWriteFile,
     kWriteBindings,
     nullptr,
     nullptr,
     {},
     "Successfully wrote {bytes} bytes to {path}"},
    {"file_edit",
     "Edit file",
     "Replaces a text of a file, which must be there exactly once.",
     Effect::kReplaces,
     Repeat::kAgain,
     kEditInput,
     kReplace.output,
     &kReplace,
     kEditBindings,
     nullptr,
     nullptr,
     {},
     "Successfully edited {path}\n{diff}"},
    {"file_insert",
     "Insert into file",
     "Inserts whole lines into a file after a given line.",
     Effect::kReplaces,
     Repeat::kAgain,
     kInsertInput,
     kInsertLines.output,
     &kInsertLines,
     kInsertBindings,
     nullptr,
     nullptr,
     {},
     "Successfully inserted lines {start_line}-{end_line} into {path}\n{diff}"},
};

constexpr FailureWords kFailures[] = {
    {ErrorCode::kNotFound, "File not found: {path}\n{advice}"},
    {ErrorCode::kNoMatch, "No exact matches found for the specified text in {path}.\n{advice}"},
    {ErrorCode::kAmbiguousMatch,
     "Found {matches} matches in {path}, at lines {lines}. Include more of what is around the one "
     "you mean."},
};

}  // namespace

const Dialect kLace{.name = "lace", .rows = kRows, .failures = kFailures};

}  // namespace cordon::tools::dialect
