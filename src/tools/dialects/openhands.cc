// The editor of OpenHands: one tool, told by its command what to do.
#include "tools/all.h"
#include "tools/dialect/agent_texts.h"
#include "tools/dialect/conversions.h"
#include "tools/dialects.h"

namespace cordon::tools::dialect {
namespace {

constexpr std::string_view kCommands[] = {"view", "create", "str_replace", "insert", "undo_edit"};
constexpr Field kInput[] = {
    {"command", FieldType::kText, Need::kRequired, "What to do.", kCommands},
    kPathField,
    {"file_text", FieldType::kText, Need::kOptional, "Of create: all that the file shall hold."},
    {"old_str", FieldType::kText, Need::kOptional,
     "Of str_replace: what to replace, as the file has it; there exactly once."},
    {"new_str", FieldType::kText, Need::kOptional,
     "Of str_replace: what takes its place. Of insert: the lines."},
    {"insert_line",
     FieldType::kInteger,
     Need::kOptional,
     "Of insert: the line after which they come; 0 is the beginning.",
     {},
     0},
    {"view_range",
     FieldType::kIntegerList,
     Need::kOptional,
     "Of view: first and last line; -1 is the end.",
     {},
     2,
     2},
};
constexpr Field kOutput[] = {
    {"path", FieldType::kPath, Need::kRequired, "As it was asked for."},
    {"text", FieldType::kText, Need::kRequired, "What is told."},
};

boost::json::object PathAndText(const Answer&, const Scene& scene, std::string_view text) {
  return {{"path", scene.given.Text("path")}, {"text", text}};
}

constexpr Binding kReplaceBindings[] = {{"path", "path"},
                                        {"old_string", "old_str"},
                                        {.ours = "new_string", .convert = NewStrOrNothing},
                                        {.ours = "diff_context", .constant = "4"}};
constexpr Binding kInsertBindings[] = {{"path", "path"},
                                       {"line", "insert_line"},
                                       {"content", "new_str"},
                                       {.ours = "diff_context", .constant = "4"}};
constexpr Binding kCreateBindings[] = {
    {"path", "path"}, {"content", "file_text"}, {.ours = "overwrite", .constant = "false"}};
constexpr Binding kViewBindings[] = {{"path", "path"},
                                     {.ours = "start_line", .convert = ViewStart},
                                     {.ours = "end_line", .convert = ViewEnd},
                                     {.ours = "line_numbers", .constant = "true"}};
constexpr Binding kListBindings[] = {{"path", "path"},
                                     {.ours = "depth", .constant = "2"},
                                     {.ours = "ignore", .constant = "[\".*\"]"}};

constexpr Binding kUndoBindings[] = {{"path", "path"}};

constexpr std::string_view kName = "str_replace_editor";
constexpr std::string_view kTitle = "Edit files";
constexpr std::string_view kDescription =
    "Views, makes and edits files. view shows a file as cat -n does, or a directory two levels "
    "deep; create makes a file that is not there; str_replace replaces a text that is there "
    "exactly once; insert puts lines after a line; undo_edit takes back the last change of a file.";
constexpr std::string_view kEdited =
    "The file {path} has been edited. Here's the result of running `cat -n` on a snippet of "
    "{path}:\n";

const Row kRows[] = {
    {kName,
     kTitle,
     kDescription,
     Effect::kReplaces,
     Repeat::kAgain,
     kInput,
     kOutput,
     &kReadFile,
     kViewBindings,
     AlwaysUnder,
     PathAndText,
     {},
     "Here's the result of running `cat -n` on {path}:\n",
     "view"},
    {kName,
     kTitle,
     kDescription,
     Effect::kReplaces,
     Repeat::kAgain,
     kInput,
     kOutput,
     &kListDirectory,
     kListBindings,
     OpenHandsListing,
     PathAndText,
     {},
     {},
     "view",
     ErrorCode::kIsADirectory},
    {kName,
     kTitle,
     kDescription,
     Effect::kReplaces,
     Repeat::kAgain,
     kInput,
     kOutput,
     &kWriteFile,
     kCreateBindings,
     nullptr,
     PathAndText,
     {},
     "File created successfully at: {path}",
     "create"},
    {kName,
     kTitle,
     kDescription,
     Effect::kReplaces,
     Repeat::kAgain,
     kInput,
     kOutput,
     &kReplace,
     kReplaceBindings,
     SnippetUnder,
     PathAndText,
     {},
     kEdited,
     "str_replace"},
    {kName,
     kTitle,
     kDescription,
     Effect::kReplaces,
     Repeat::kAgain,
     kInput,
     kOutput,
     &kInsertLines,
     kInsertBindings,
     SnippetUnder,
     PathAndText,
     {},
     kEdited,
     "insert"},
    {kName,
     kTitle,
     kDescription,
     Effect::kReplaces,
     Repeat::kAgain,
     kInput,
     kOutput,
     &kUndo,
     kUndoBindings,
     nullptr,
     PathAndText,
     {},
     "Last edit to {path} undone successfully.",
     "undo_edit"},
};

constexpr FailureWords kFailures[] = {
    {ErrorCode::kNotFound, "ERROR:\nInvalid `path` parameter: {path}. {detail}"},
    {ErrorCode::kAlreadyExists,
     "ERROR:\nInvalid `path` parameter: {path}. A file already exists there; `create` does not "
     "overwrite."},
    {ErrorCode::kNoMatch,
     "ERROR:\nNo replacement was performed, old_str `{old_str}` did not appear verbatim in "
     "{path}.\n{advice}"},
    {ErrorCode::kAmbiguousMatch,
     "ERROR:\nNo replacement was performed. Multiple occurrences of old_str `{old_str}` in lines "
     "[{lines}]. Please ensure it is unique."},
    {ErrorCode::kInvalidArguments, "ERROR:\n{detail}"},
};

}  // namespace

const Dialect kOpenHands{
    .name = "openhands", .rows = kRows, .failures = kFailures, .selector = "command"};

}  // namespace cordon::tools::dialect
