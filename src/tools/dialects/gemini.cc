// The file tools of Gemini CLI.
#include "tools/all.h"
#include "tools/dialect/agent_texts.h"
#include "tools/dialect/conversions.h"
#include "tools/dialects.h"

namespace cordon::tools::dialect {
namespace {

constexpr std::string_view kFileAliases[] = {"path", "absolute_path"};
constexpr std::string_view kPlaceAliases[] = {"path"};
constexpr Field kFile{.name = "file_path",
                      .type = FieldType::kPath,
                      .need = Need::kRequired,
                      .description = "The file.",
                      .aliases = kFileAliases};
constexpr Field kPlace{.name = "dir_path",
                       .type = FieldType::kPath,
                       .description = "Where; the project root by default.",
                       .aliases = kPlaceAliases};

constexpr Field kListInput[] = {
    {.name = "dir_path",
     .type = FieldType::kPath,
     .need = Need::kRequired,
     .description = "The directory.",
     .aliases = kPlaceAliases},
    {"ignore", FieldType::kTextList, Need::kOptional, "Globs of names to leave out."},
};
constexpr Field kReadInput[] = {
    kFile,
    {"start_line", FieldType::kInteger, Need::kOptional, "First line, from 1."},
    {"end_line", FieldType::kInteger, Need::kOptional, "Last line, included."},
};
constexpr Field kWriteInput[] = {
    kFile, {"content", FieldType::kText, Need::kRequired, "All that the file shall hold."}};
constexpr Field kReplaceInput[] = {
    kFile,
    {"instruction", FieldType::kText, Need::kOptional, "What the change is for; not looked at."},
    {"old_string", FieldType::kText, Need::kRequired,
     "What to replace, as the file has it. Empty: make a new file."},
    {"new_string", FieldType::kText, Need::kRequired, "What takes its place."},
    {"allow_multiple", FieldType::kFlag, Need::kOptional, "Replace it wherever it is."},
    {"expected_replacements", FieldType::kInteger, Need::kOptional, "How often it must be there."},
};
constexpr Field kGlobInput[] = {
    {"pattern", FieldType::kText, Need::kRequired, "A glob of paths, such as **/*.ts."},
    kPlace,
    {"respect_git_ignore", FieldType::kFlag, Need::kOptional, "Whether .gitignore holds."},
};
constexpr Field kGrepInput[] = {
    {"pattern", FieldType::kText, Need::kRequired, "A regular expression."},
    kPlace,
    {"include_pattern", FieldType::kTextList, Need::kOptional, "Only files that match this glob."},
    {"exclude_pattern", FieldType::kTextList, Need::kOptional, "No file that matches this glob."},
    {"names_only", FieldType::kFlag, Need::kOptional, "Tell only which files."},
    {"case_sensitive", FieldType::kFlag, Need::kOptional, "Not by default."},
    {"fixed_strings", FieldType::kFlag, Need::kOptional, "The pattern is plain text."},
    {"context", FieldType::kInteger, Need::kOptional, "Lines around each match.", {}, 0, 50},
    {"after", FieldType::kInteger, Need::kOptional, "As context.", {}, 0, 50},
    {"before", FieldType::kInteger, Need::kOptional, "As context.", {}, 0, 50},
    {"no_ignore", FieldType::kFlag, Need::kOptional, "Also what .gitignore names."},
    {"total_max_matches", FieldType::kInteger, Need::kOptional, "100 by default.", {}, 1, 100'000},
};
constexpr std::string_view kIncludeAliases[] = {"include_pattern"};
constexpr std::string_view kOldPlaceAliases[] = {"dir_path"};
constexpr Field kOldGrepInput[] = {
    {"pattern", FieldType::kText, Need::kRequired, "A regular expression."},
    {.name = "path",
     .type = FieldType::kPath,
     .description = "Where; the project root by default.",
     .aliases = kOldPlaceAliases},
    {.name = "include",
     .type = FieldType::kTextList,
     .description = "Only files that match this glob.",
     .aliases = kIncludeAliases},
};

constexpr Binding kListBindings[] = {{"path", "dir_path"}, {"ignore", "ignore"}};
constexpr Binding kReadBindings[] = {
    {"path", "file_path"}, {"start_line", "start_line"}, {"end_line", "end_line"}};
constexpr Binding kWriteBindings[] = {{"path", "file_path"}, {"content", "content"}};
constexpr Binding kReplaceBindings[] = {{"path", "file_path"},
                                        {"old_string", "old_string"},
                                        {"new_string", "new_string"},
                                        {"replace_all", "allow_multiple"},
                                        {"expected_replacements", "expected_replacements"}};
constexpr Binding kGlobBindings[] = {
    {"pattern", "pattern"}, {"path", "dir_path"}, {"respect_gitignore", "respect_git_ignore"}};
constexpr Binding kGrepBindings[] = {{"pattern", "pattern"},
                                     {"path", "dir_path"},
                                     {"include", "include_pattern"},
                                     {"exclude", "exclude_pattern"},
                                     {.ours = "output", .convert = NamesOnly},
                                     {.ours = "case", .convert = GeminiCase},
                                     {.ours = "mode", .convert = FixedStrings},
                                     {.ours = "context", .convert = GeminiContext},
                                     {.ours = "respect_gitignore", .convert = NotIgnored},
                                     {.ours = "limit", .convert = FirstHundred}};
constexpr Binding kOldGrepBindings[] = {{"pattern", "pattern"},
                                        {"path", "path"},
                                        {"include", "include"},
                                        {.ours = "case", .constant = "\"insensitive\""},
                                        {.ours = "limit", .constant = "100"}};

const Row kRows[] = {
    {"list_directory", "ReadFolder", "Lists a directory, directories first as [DIR].",
     Effect::kNone, Repeat::kSame, kListInput, kListDirectory.output, &kListDirectory,
     kListBindings, GeminiListing},
    {"read_file",
     "ReadFile",
     "Reads a file, or lines start_line to end_line of it: at most 2000 lines, of which what goes "
     "beyond 2000 characters is cut.",
     Effect::kNone,
     Repeat::kSame,
     kReadInput,
     kReadFile.output,
     &kReadFile,
     kReadBindings,
     ContentUnder,
     nullptr,
     {},
     "The file content has been truncated.\nStatus: Showing lines {start_line}-{end_line} of "
     "{total_lines} total lines.\nAction: to read on, call read_file with start_line: "
     "{next_line}.\n--- FILE CONTENT (truncated) ---\n"},
    {"write_file", "WriteFile", "Writes a whole file; missing directories are made.",
     Effect::kReplaces, Repeat::kSame, kWriteInput, kWriteFile.output, &kWriteFile, kWriteBindings,
     GeminiWrote},
    {"replace", "Edit",
     "Replaces a text of a file, which must be there exactly once unless allow_multiple is set.",
     Effect::kReplaces, Repeat::kAgain, kReplaceInput, kReplace.output, &kReplace, kReplaceBindings,
     GeminiReplaced},
    {"search_file_content", "SearchText", "The old name of grep_search.", Effect::kNone,
     Repeat::kSame, kOldGrepInput, kGrep.output, &kGrep, kOldGrepBindings, GeminiGrep},
    {"grep_search", "SearchText",
     "Searches the content of files for a regular expression: at most 100 matches, each file's "
     "under File: and after L and the line's number.",
     Effect::kNone, Repeat::kSame, kGrepInput, kGrep.output, &kGrep, kGrepBindings, GeminiGrep},
    {"glob", "FindFiles", "Finds files by a pattern of their path, newest first.", Effect::kNone,
     Repeat::kSame, kGlobInput, kGlob.output, &kGlob, kGlobBindings, GeminiGlob},
};

constexpr FailureWords kFailures[] = {
    {ErrorCode::kNotFound, "File not found: {path}\n{advice}\n[file_not_found]"},
    {ErrorCode::kIsADirectory, "Path is a directory, not a file: {path}\n[target_is_directory]"},
    {ErrorCode::kNotADirectory, "Path is not a directory: {path}\n[path_is_not_a_directory]"},
    {ErrorCode::kPathOutsideProject,
     "Path not in workspace: {path}\n{advice}\n[path_not_in_workspace]"},
    {ErrorCode::kAlreadyExists,
     "Failed to edit: attempted to create a file that already exists: {path}\n"
     "[attempt_to_create_existing_file]"},
    {ErrorCode::kNoMatch,
     "Failed to edit, 0 occurrences found for old_string in {path}. No edits made.\n{advice}\n"
     "[edit_no_occurrence_found]"},
    {ErrorCode::kAmbiguousMatch,
     "Failed to edit, expected {expected} occurrence but found {matches} for old_string in {path}, "
     "at lines {lines}.\n{advice}\n[edit_expected_occurrence_mismatch]"},
    {ErrorCode::kInvalidArguments, "{detail}\n[invalid_tool_params]"},
};

}  // namespace

const Dialect kGemini{.name = "gemini", .rows = kRows, .failures = kFailures};

}  // namespace cordon::tools::dialect
