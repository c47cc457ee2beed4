// What edit_file, replace and their like take and give alike.
#pragma once

#include "tools/field.h"

namespace cordon::tools {

inline constexpr std::string_view kOldAliases[] = {"old_string", "old_text", "old_str", "oldText",
                                                   "search"};
inline constexpr std::string_view kNewAliases[] = {"new_string", "new_text", "new_str", "newText"};
inline constexpr std::string_view kDryRunAliases[] = {"dryRun"};

inline constexpr Field kIfMatchField{"if_match", FieldType::kText, Need::kOptional,
                                     "The etag of the content that is meant; if the file has "
                                     "another by now, nothing is changed."};
inline constexpr Field kDryRunField{.name = "dry_run",
                                    .type = FieldType::kFlag,
                                    .description = "Show what would change, and change nothing.",
                                    .aliases = kDryRunAliases};
inline constexpr Field kRegexField{
    "regex", FieldType::kFlag, Need::kOptional,
    "The old text is a regular expression (RE2; ^ and $ match at each line). In the new text "
    "\\1 to \\9 stand for its groups, \\0 for all of it, \\\\ for a backslash; $ is plain."};

inline constexpr Field kDiffContextField{
    .name = "diff_context",
    .type = FieldType::kInteger,
    .description = "Lines around each change in the diff; 3 by default.",
    .least = 0,
    .most = 100};

// Of Answer::data.
inline constexpr std::string_view kPassNames[] = {"exact", "trailing_whitespace", "indentation",
                                                  "punctuation"};
inline constexpr Field kRangeFields[] = {
    {"first", FieldType::kInteger, Need::kRequired, "First line, from 1, as the file is now."},
    {"last", FieldType::kInteger, Need::kRequired, "Last line."},
};
inline constexpr Field kEditDoneFields[] = {
    {.name = "matched",
     .type = FieldType::kText,
     .need = Need::kRequired,
     .description = "How the old text was found: exactly, or as what but for what.",
     .choices = kPassNames},
    {"replacements", FieldType::kInteger, Need::kRequired, "At how many places."},
    {.name = "lines",
     .type = FieldType::kObjectList,
     .need = Need::kRequired,
     .description = "Where the new text is; of the first 50 places.",
     .fields = kRangeFields},
};
inline constexpr Field kEditOutput[] = {
    {"path", FieldType::kPath, Need::kRequired, "As asked for."},
    {"written", FieldType::kFlag, Need::kRequired, "False after a dry run."},
    {"created", FieldType::kFlag, Need::kOptional, "True if the file is new."},
    {"etag", FieldType::kText, Need::kRequired, "SHA-256 of the new content, for if_match."},
    {"diff", FieldType::kText, Need::kRequired, "What changed, as a unified diff."},
    {"byte_order_mark", FieldType::kFlag, Need::kOptional,
     "True if the file begins with one, which the diff leaves out."},
    {"replacements", FieldType::kInteger, Need::kRequired, "Of all edits together."},
    {.name = "edits",
     .type = FieldType::kObjectList,
     .need = Need::kRequired,
     .description = "One for each edit, in order.",
     .fields = kEditDoneFields},
};

}  // namespace cordon::tools
