// The file tools of Claude Code.
#include "tools/all.h"
#include "tools/dialect/agent_texts.h"
#include "tools/dialect/conversions.h"
#include "tools/dialects.h"

namespace cordon::tools::dialect {
namespace {

constexpr std::string_view kFileAliases[] = {"path"};
constexpr Field kFile{.name = "file_path",
                      .type = FieldType::kPath,
                      .need = Need::kRequired,
                      .description = "The file.",
                      .aliases = kFileAliases};
constexpr Field kPlace{"path", FieldType::kPath, Need::kOptional,
                       "Where; the project root by default."};

constexpr Field kReadInput[] = {
    kFile,
    {"offset", FieldType::kInteger, Need::kOptional, "First line, from 1."},
    {"limit", FieldType::kInteger, Need::kOptional, "At most so many lines.", {}, 1, 2000},
};
constexpr Field kWriteInput[] = {
    kFile, {"content", FieldType::kText, Need::kRequired, "All that the file shall hold."}};
constexpr Field kEditInput[] = {
    kFile,
    {"old_string", FieldType::kText, Need::kRequired, "What to replace, as the file has it."},
    {"new_string", FieldType::kText, Need::kRequired, "What takes its place."},
    {"replace_all", FieldType::kFlag, Need::kOptional, "Replace it wherever it is."},
};
constexpr Field kGlobInput[] = {
    {"pattern", FieldType::kText, Need::kRequired, "A glob of paths, such as **/*.ts."}, kPlace};
constexpr std::string_view kModes[] = {"content", "files_with_matches", "count"};
constexpr Field kGrepInput[] = {
    {"pattern", FieldType::kText, Need::kRequired, "A regular expression."},
    kPlace,
    {"glob", FieldType::kTextList, Need::kOptional, "Only files that match this glob."},
    {.name = "output_mode",
     .type = FieldType::kText,
     .description = "Lines, files or counts.",
     .choices = kModes,
     .otherwise = "\"files_with_matches\""},
    {"-A", FieldType::kInteger, Need::kOptional, "As -C.", {}, 0, 50},
    {"-B", FieldType::kInteger, Need::kOptional, "As -C.", {}, 0, 50},
    {"-C", FieldType::kInteger, Need::kOptional, "Lines around each match.", {}, 0, 50},
    {"-i", FieldType::kFlag, Need::kOptional, "Without regard to case."},
    {"-n", FieldType::kFlag, Need::kOptional, "Lines always have their numbers."},
    {"head_limit", FieldType::kInteger, Need::kOptional, "At most so many; 250.", {}, 1, 100'000},
    {"offset", FieldType::kInteger, Need::kOptional, "Leave out so many first.", {}, 0},
    {"multiline", FieldType::kFlag, Need::kOptional, "A match may go over several lines."},
};

constexpr Field kReadOutput[] = {
    {"filePath", FieldType::kPath, Need::kRequired, ""},
    {"content", FieldType::kText, Need::kRequired, "As it is told."},
    {"startLine", FieldType::kInteger, Need::kOptional, "Of what is told."},
    {"numLines", FieldType::kInteger, Need::kOptional, "How many are told."},
    {"totalLines", FieldType::kInteger, Need::kOptional, "Of the whole file."},
    {"truncated", FieldType::kFlag, Need::kRequired, "Whether a limit left something out."},
};
constexpr Field kHunk[] = {
    {"oldStart", FieldType::kInteger, Need::kRequired, ""},
    {"oldLines", FieldType::kInteger, Need::kRequired, ""},
    {"newStart", FieldType::kInteger, Need::kRequired, ""},
    {"newLines", FieldType::kInteger, Need::kRequired, ""},
    {"lines", FieldType::kTextList, Need::kRequired, "Each after ' ', '-' or '+'."},
};
constexpr Field kEditOutput[] = {
    {"filePath", FieldType::kPath, Need::kRequired, ""},
    {"replacements", FieldType::kInteger, Need::kRequired, ""},
    {.name = "structuredPatch",
     .type = FieldType::kObjectList,
     .need = Need::kRequired,
     .description = "What changed.",
     .fields = kHunk},
};

constexpr Binding kReadBindings[] = {{"path", "file_path"},
                                     {"start_line", "offset"},
                                     {"limit", "limit"},
                                     {.ours = "line_numbers", .constant = "true"}};
constexpr Binding kWriteBindings[] = {{"path", "file_path"}, {"content", "content"}};
constexpr Binding kEditBindings[] = {{"path", "file_path"},
                                     {"old_string", "old_string"},
                                     {"new_string", "new_string"},
                                     {"replace_all", "replace_all"}};
constexpr Binding kGlobBindings[] = {
    {"pattern", "pattern"}, {"path", "path"}, {.ours = "limit", .constant = "100"}};
constexpr Binding kGrepBindings[] = {{"pattern", "pattern"},
                                     {"path", "path"},
                                     {"include", "glob"},
                                     {.ours = "output", .convert = OutputMode},
                                     {.ours = "context", .convert = ClaudeContext},
                                     {.ours = "case", .convert = ClaudeCase},
                                     {.ours = "limit", .convert = HeadLimit},
                                     {"offset", "offset"},
                                     {"multiline", "multiline"}};

const Row kRows[] = {
    {"Read",
     "Read",
     "Reads a file as cat -n shows it: at most 2000 lines from line offset on. Images and other "
     "binary content come as such.",
     Effect::kNone,
     Repeat::kSame,
     kReadInput,
     kReadOutput,
     &kReadFile,
     kReadBindings,
     ContentUnder,
     ClaudeReadData,
     {},
     "[Lines {start_line}-{end_line} of {total_lines}. To read on: offset {next_line}]\n"},
    {"Write", "Write", "Writes a whole file; missing directories are made.", Effect::kReplaces,
     Repeat::kSame, kWriteInput, kWriteFile.output, &kWriteFile, kWriteBindings, ClaudeWrote},
    {"Edit",
     "Edit",
     "Replaces a text of a file, which must be there exactly once unless replace_all is set.",
     Effect::kReplaces,
     Repeat::kAgain,
     kEditInput,
     kEditOutput,
     &kReplace,
     kEditBindings,
     SnippetUnder,
     ClaudeEditData,
     {},
     "The file {path} has been updated. Here's the result of running `cat -n` on a snippet of the "
     "edited file:\n"},
    {"Glob", "Glob", "Finds files by a pattern of their path, newest first; at most 100.",
     Effect::kNone, Repeat::kSame, kGlobInput, kGlob.output, &kGlob, kGlobBindings, ClaudeGlob},
    {"Grep", "Grep",
     "Searches the content of files for a regular expression, and tells lines, files or counts.",
     Effect::kNone, Repeat::kSame, kGrepInput, kGrep.output, &kGrep, kGrepBindings, ClaudeGrep},
};

constexpr FailureWords kFailures[] = {
    {ErrorCode::kNotFound, "File does not exist: {path}\n{advice}"},
    {ErrorCode::kIsADirectory,
     "EISDIR: illegal operation on a directory, read: {path}\nUse Glob to see what is in it."},
    {ErrorCode::kNoMatch, "String to replace not found in file.\nString: {old_string}\n{advice}"},
    {ErrorCode::kAmbiguousMatch,
     "Found {matches} matches of the string to replace, at lines {lines}, but replace_all is not "
     "set. To replace all of them, set replace_all; to replace one, quote more of what is around "
     "it.\nString: {old_string}"},
};

}  // namespace

const Dialect kClaude{.name = "claude", .rows = kRows, .failures = kFailures};

}  // namespace cordon::tools::dialect
