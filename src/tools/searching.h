// What grep and glob have in common.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "confine/search.h"
#include "cordon/result.h"
#include "search/selection.h"
#include "tools/arguments.h"
#include "tools/field.h"
#include "tools/tool.h"

namespace cordon::confine {
class SearchVisitor;
}

namespace cordon::tools {

inline constexpr Field kSearchPathField{"path",
                                        FieldType::kPath,
                                        Need::kOptional,
                                        "Where to search: the project root by default.",
                                        {},
                                        {},
                                        {},
                                        {},
                                        kPathAliases};
inline constexpr Field kRespectField{"respect_gitignore", FieldType::kFlag, Need::kOptional,
                                     "Whether .gitignore and .ignore files hold; true by default."};
inline constexpr Field kHiddenField{
    "include_hidden", FieldType::kFlag, Need::kOptional,
    "Whether names that begin with a dot are searched; false by default."};
inline constexpr Field kUnreadableField{
    "unreadable", FieldType::kInteger, Need::kRequired,
    "Files and directories that could not be read, or not be read under the rules."};

// By the two flags.
search::SelectionTerms SelectionOf(const Arguments& arguments);

// Searches below `path`, telling `counted` as progress now and then.
// Errors: the guard's; kTimeout when the call was stopped; kLimitExceeded when the tree is
//   too large to be searched whole.
Result<confine::SearchOutcome> RunSearch(Context& context, std::string_view path,
                                         confine::SearchReach reach,
                                         confine::SearchVisitor& visitor,
                                         const std::function<std::uint64_t()>& counted,
                                         std::string_view what);

// What a search of `path` found, as it can be asked for again.
std::string PathToAsk(std::string_view path, std::string_view found,
                      const confine::SearchOutcome& outcome);

}  // namespace cordon::tools
