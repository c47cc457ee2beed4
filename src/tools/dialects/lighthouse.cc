// The tools of Lighthouse Chat IDE. Failures are told as ours: its codes are ours.
#include "tools/all.h"
#include "tools/dialect/agent_texts.h"
#include "tools/dialects.h"

namespace cordon::tools::dialect {
namespace {

constexpr Field kPlace{"path", FieldType::kPath, Need::kOptional,
                       "Where; the project root by default."};
constexpr Field kReadInput[] = {
    kPathField,
    {"offset", FieldType::kInteger, Need::kOptional, "First line, from 1."},
    {"limit", FieldType::kInteger, Need::kOptional, "At most so many lines.", {}, 1, 2000},
};
constexpr Field kWriteInput[] = {
    kPathField, {"content", FieldType::kText, Need::kRequired, "All that the file shall hold."}};
constexpr Field kEditInput[] = {
    kPathField,
    {"old_string", FieldType::kText, Need::kRequired, "What to replace, as the file has it."},
    {"new_string", FieldType::kText, Need::kRequired, "What takes its place."},
    {"replace_all", FieldType::kFlag, Need::kOptional, "Replace it wherever it is."},
};
constexpr Field kDeleteInput[] = {kPathField};
constexpr Field kGlobInput[] = {
    {"pattern", FieldType::kText, Need::kRequired, "A glob of paths, such as **/*.ts."}, kPlace};
constexpr Field kGrepInput[] = {
    {"pattern", FieldType::kText, Need::kRequired, "A regular expression."},
    kPlace,
    {"include", FieldType::kTextList, Need::kOptional, "Only files that match this glob."},
};

constexpr Binding kReadBindings[] = {
    {"path", "path"}, {"start_line", "offset"}, {"limit", "limit"}};
constexpr Binding kWriteBindings[] = {{"path", "path"}, {"content", "content"}};
constexpr Binding kEditBindings[] = {{"path", "path"},
                                     {"old_string", "old_string"},
                                     {"new_string", "new_string"},
                                     {"replace_all", "replace_all"}};
constexpr Binding kDeleteBindings[] = {{"path", "path"}};
constexpr Binding kGlobBindings[] = {{"pattern", "pattern"}, {"path", "path"}};
constexpr Binding kGrepBindings[] = {
    {"pattern", "pattern"}, {"path", "path"}, {"include", "include"}};

const Row kRows[] = {
    {"read",
     "Read",
     "Reads a file of the project.",
     Effect::kNone,
     Repeat::kSame,
     kReadInput,
     kReadFile.output,
     &kReadFile,
     kReadBindings,
     ContentUnder,
     nullptr,
     {},
     "[Lines {start_line}-{end_line} of {total_lines}. To read on: offset {next_line}]\n"},
    {"write", "Write", "Writes a whole file; missing directories are made.", Effect::kReplaces,
     Repeat::kSame, kWriteInput, kWriteFile.output, &kWriteFile, kWriteBindings},
    {"edit", "Edit", "Replaces a text of a file, which must be there exactly once.",
     Effect::kReplaces, Repeat::kAgain, kEditInput, kReplace.output, &kReplace, kEditBindings},
    {"delete", "Delete", "Deletes a file, a link itself or an empty directory.", Effect::kReplaces,
     Repeat::kAgain, kDeleteInput, kDeletePath.output, &kDeletePath, kDeleteBindings},
    {"glob", "Glob", "Finds files by a pattern of their path, newest first.", Effect::kNone,
     Repeat::kSame, kGlobInput, kGlob.output, &kGlob, kGlobBindings},
    {"grep", "Grep", "Searches the content of files for a regular expression.", Effect::kNone,
     Repeat::kSame, kGrepInput, kGrep.output, &kGrep, kGrepBindings},
};

}  // namespace

const Dialect kLighthouse{.name = "lighthouse", .rows = kRows};

}  // namespace cordon::tools::dialect
