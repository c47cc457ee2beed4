// What grep tells.
#pragma once

#include <string_view>

#include "confine/search.h"
#include "search/grep_search.h"
#include "tools/outcome.h"
#include "tools/searching.h"

namespace cordon::tools {

inline constexpr Field kGrepFile[] = {
    {"path", FieldType::kPath, Need::kRequired, "As it can be asked for."},
    {"matches", FieldType::kInteger, Need::kOptional, "Lines that match; with output count."},
};
inline constexpr Field kGrepLine[] = {
    {"path", FieldType::kPath, Need::kRequired, "As it can be asked for."},
    {"line", FieldType::kInteger, Need::kRequired, "From 1."},
    {"text", FieldType::kText, Need::kRequired, "Without its line break."},
    {"context", FieldType::kFlag, Need::kOptional, "True for a line that does not match itself."},
    {"cut", FieldType::kFlag, Need::kOptional, "True for a line that is longer than this."},
};
inline constexpr Field kGrepOutput[] = {
    {"path", FieldType::kPath, Need::kRequired, "As it was asked for."},
    {"lines", FieldType::kObjectList, Need::kOptional, "With output lines.", {}, {}, {}, kGrepLine},
    {"files",
     FieldType::kObjectList,
     Need::kOptional,
     "With output files and count.",
     {},
     {},
     {},
     kGrepFile},
    {"told", FieldType::kInteger, Need::kRequired, "Lines that match, or files, told here."},
    {"truncated", FieldType::kFlag, Need::kRequired, "Whether there is more."},
    {"next_offset", FieldType::kInteger, Need::kOptional, "The offset that goes on from here."},
    {"searched", FieldType::kInteger, Need::kRequired,
     "Files looked into, as far as it took to find these."},
    {"binary", FieldType::kInteger, Need::kRequired,
     "Files told here of which only the beginning was searched, as what follows is no text."},
    kUnreadableField,
};

// `path` is as it was asked for. If only the text is wanted, the data has no lines or files.
Answer TellGrep(std::string_view path, const search::GrepTerms& terms,
                const search::GrepAnswer& found, const confine::SearchOutcome& outcome,
                Wanted wanted);

}  // namespace cordon::tools
