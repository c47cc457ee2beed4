// The tools of @modelcontextprotocol/server-filesystem 2026.8.31, to the letter where a
// client can see it. What is different on purpose: tests/dialects/differences.json.
#include "tools/all.h"
#include "tools/dialect/conversions.h"
#include "tools/dialect/mcp_texts.h"
#include "tools/dialect/node_failure.h"
#include "tools/dialect/strict_check.h"
#include "tools/dialects.h"

namespace cordon::tools::dialect {
namespace {

// Paths are plain texts here: the server knows no other encoding of names.
constexpr Field kPath{"path", FieldType::kText, Need::kRequired, ""};
constexpr Field kExcludes{.name = "excludePatterns",
                          .type = FieldType::kTextList,
                          .description = "Globs of what to leave out.",
                          .otherwise = "[]"};

constexpr Field kOnlyPath[] = {kPath};
constexpr Field kReadInput[] = {
    kPath,
    {"tail", FieldType::kInteger, Need::kOptional, "Only so many lines from the end."},
    {"head", FieldType::kInteger, Need::kOptional, "Only so many lines from the beginning."},
};
constexpr Field kMultipleInput[] = {
    {.name = "paths",
     .type = FieldType::kTextList,
     .need = Need::kRequired,
     .description = "The files to read, each inside an allowed directory.",
     .least = 1},
};
constexpr Field kWriteInput[] = {
    kPath,
    {"content", FieldType::kText, Need::kRequired, ""},
};
constexpr Field kPair[] = {
    {"oldText", FieldType::kText, Need::kRequired, "What to replace, as the file has it."},
    {"newText", FieldType::kText, Need::kRequired, "What takes its place."},
};
constexpr Field kEditInput[] = {
    kPath,
    {.name = "edits",
     .type = FieldType::kObjectList,
     .need = Need::kRequired,
     .description = "Made in order, all or none.",
     .fields = kPair},
    {.name = "dryRun",
     .type = FieldType::kFlag,
     .description = "Show the difference and change nothing.",
     .otherwise = "false"},
};
constexpr std::string_view kSorts[] = {"name", "size"};
constexpr Field kSizedInput[] = {
    kPath,
    {.name = "sortBy",
     .type = FieldType::kText,
     .description = "What to sort entries by.",
     .choices = kSorts,
     .otherwise = "\"name\""},
};
constexpr Field kTreeInput[] = {kPath, kExcludes};
constexpr Field kSearchInput[] = {
    kPath, {"pattern", FieldType::kText, Need::kRequired, "A glob of paths."}, kExcludes};
constexpr Field kMoveInput[] = {
    {"source", FieldType::kText, Need::kRequired, ""},
    {"destination", FieldType::kText, Need::kRequired, ""},
};

constexpr Field kContent[] = {{"content", FieldType::kText, Need::kRequired, ""}};
constexpr Field kResource[] = {
    {"uri", FieldType::kText, Need::kRequired, ""},
    {"mimeType", FieldType::kText, Need::kOptional, ""},
    {"blob", FieldType::kText, Need::kRequired, ""},
};
constexpr std::string_view kBlockTypes[] = {"image", "audio", "resource"};
constexpr Field kBlock[] = {
    {"type", FieldType::kText, Need::kRequired, "", kBlockTypes},
    {"data", FieldType::kText, Need::kOptional, "Base64."},
    {"mimeType", FieldType::kText, Need::kOptional, ""},
    {.name = "resource", .type = FieldType::kObject, .description = "", .fields = kResource},
};
constexpr Field kBlocks[] = {{.name = "content",
                              .type = FieldType::kObjectList,
                              .need = Need::kRequired,
                              .description = "",
                              .fields = kBlock}};

constexpr Binding kReadBindings[] = {
    {"path", "path"},
    {.ours = "start_line", .convert = TailAsStartLine},
    {.ours = "end_line", .convert = HeadAsEndLine},
    {.ours = "encoding", .constant = "\"text\""},
    {.ours = "whole", .constant = "true"},
};
constexpr Binding kMediaBindings[] = {{"path", "path"},
                                      {.ours = "encoding", .constant = "\"media\""}};
constexpr Binding kMultipleBindings[] = {{"paths", "paths"}, {.ours = "whole", .constant = "true"}};
constexpr Binding kWriteBindings[] = {{"path", "path"},
                                      {"content", "content"},
                                      {.ours = "create_parents", .constant = "false"},
                                      {.ours = "follow_dangling", .constant = "false"}};
constexpr Binding kEditBindings[] = {{"path", "path"},
                                     {.ours = "edits", .convert = EditPairs},
                                     {"dry_run", "dryRun"},
                                     {.ours = "diff_context", .constant = "4"}};
constexpr Binding kPathBinding[] = {{"path", "path"}};
constexpr Binding kListBindings[] = {{"path", "path"}, {.ours = "limit", .constant = "200000"}};
constexpr Binding kSizedBindings[] = {
    {"path", "path"}, {"sort", "sortBy"}, {.ours = "limit", .constant = "200000"}};
constexpr Binding kTreeBindings[] = {{"path", "path"},
                                     {.ours = "ignore", .convert = TreeExcludes},
                                     {.ours = "depth", .constant = "1024"},
                                     {.ours = "limit", .constant = "200000"}};
constexpr Binding kSearchBindings[] = {{"path", "path"},
                                       {"match", "pattern"},
                                       {.ours = "ignore", .convert = SearchExcludes},
                                       {.ours = "depth", .constant = "1024"},
                                       {.ours = "limit", .constant = "200000"}};
constexpr Binding kMoveBindings[] = {{"source", "source"},
                                     {"destination", "destination"},
                                     {.ours = "create_parents", .constant = "false"}};
constexpr Binding kInfoBindings[] = {{"path", "path"}, {.ours = "follow", .constant = "true"}};

constexpr std::string_view kRead = "open";
constexpr std::string_view kScan = "scandir";

const Row kRows[] = {
    {"read_file", "Read File (Deprecated)",
     "Gives a file's text. Kept for old callers: read_text_file does the same.", Effect::kNone,
     Repeat::kSame, kReadInput, kContent, &kReadFile, kReadBindings, McpContent, ContentData,
     kRead},
    {"read_text_file", "Read Text File",
     "Gives a file's text: all of it, or with head or tail only so many lines of its beginning or "
     "end. A file that is no text is refused.",
     Effect::kNone, Repeat::kSame, kReadInput, kContent, &kReadFile, kReadBindings, McpContent,
     ContentData, kRead},
    {"read_media_file", "Read Media File",
     "Gives a file's bytes in base64 with a MIME type after its name: images and sounds as such, "
     "anything else as an embedded resource.",
     Effect::kNone, Repeat::kSame, kOnlyPath, kBlocks, &kReadFile, kMediaBindings, NoText, McpMedia,
     kRead},
    {"read_multiple_files", "Read Multiple Files",
     "Gives the texts of several files, each under its path. One that cannot be read does not "
     "spoil the others.",
     Effect::kNone, Repeat::kSame, kMultipleInput, kContent, &kReadFiles, kMultipleBindings,
     McpFiles, ContentData, kRead},
    {"write_file", "Write File",
     "Makes a file, or replaces all that one holds without asking. Its directory must exist.",
     Effect::kReplaces, Repeat::kSame, kWriteInput, kContent, &kWriteFile, kWriteBindings, nullptr,
     ContentData, kRead, "Successfully wrote to {path}"},
    {"edit_file", "Edit File",
     "Replaces pieces of a text file, each of which must be there exactly once. Answers with a "
     "unified diff.",
     Effect::kReplaces, Repeat::kAgain, kEditInput, kContent, &kEditFile, kEditBindings, McpEdited,
     ContentData, kRead},
    {"create_directory", "Create Directory",
     "Makes a directory and those above it that are missing. One that is there already is fine.",
     Effect::kAdds, Repeat::kSame, kOnlyPath, kContent, &kCreateDirectory, kPathBinding, nullptr,
     ContentData, "mkdir", "Successfully created directory {path}"},
    {"list_directory", "List Directory",
     "Lists what a directory holds, each name after [DIR], [FILE] or [LINK].", Effect::kNone,
     Repeat::kSame, kOnlyPath, kContent, &kListDirectory, kListBindings, McpListing, ContentData,
     kScan},
    {"list_directory_with_sizes", "List Directory with Sizes",
     "Lists what a directory holds with the sizes of files and their sum, by name or by size.",
     Effect::kNone, Repeat::kSame, kSizedInput, kContent, &kListDirectory, kSizedBindings,
     McpSizedListing, ContentData, kScan},
    {"directory_tree", "Directory Tree",
     "Gives all below a directory as JSON: each entry has a name and a type (file, directory, "
     "link), a directory also its children, which may be none.",
     Effect::kNone, Repeat::kSame, kTreeInput, kContent, &kListDirectory, kTreeBindings, McpTree,
     ContentData, kScan},
    {"move_file", "Move File",
     "Moves or renames a file or a directory. Fails if something is at the destination.",
     Effect::kReplaces, Repeat::kAgain, kMoveInput, kContent, &kMovePath, kMoveBindings, nullptr,
     ContentData, "rename", "Successfully moved {source} to {destination}"},
    {"search_files", "Search Files",
     "Finds files and directories below a path by a glob of their paths from there: *.ext for "
     "those "
     "right in it, **/*.ext for those at any depth. Answers with full paths.",
     Effect::kNone, Repeat::kSame, kSearchInput, kContent, &kListDirectory, kSearchBindings,
     McpFound, ContentData, kScan},
    {"get_file_info", "Get File Info",
     "Tells size, times, permissions and kind of a file or directory without reading it.",
     Effect::kNone, Repeat::kSame, kOnlyPath, kContent, &kFileInfo, kInfoBindings, McpInfo,
     ContentData, "stat"},
    {"list_allowed_directories",
     "List Allowed Directories",
     "Tells the directories below which paths may lead.",
     Effect::kNone,
     Repeat::kSame,
     {},
     kContent,
     &kListRoots,
     {},
     McpRoots,
     ContentData},
    {"delete_file", "Delete File",
     "Deletes a file, a link itself or an empty directory. Not a tool of the original server.",
     Effect::kReplaces, Repeat::kAgain, kOnlyPath, kContent, &kDeletePath, kPathBinding, nullptr,
     ContentData, "unlink", "Successfully deleted {path}"},
};

}  // namespace

const Dialect kMcpFilesystem{.name = "mcp-filesystem",
                             .rows = kRows,
                             .failure = NodeFailure,
                             .check = CheckStrictly,
                             .admit = RefuseDrives,
                             .others = Others::kIgnored};

}  // namespace cordon::tools::dialect
