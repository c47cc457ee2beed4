// File names as unified diffs and git write them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace cordon::tools {

// Of "--- NAME" and its like: C quoting undone, what follows a tab left out.
// Unset if a quoted name is not well formed.
std::optional<std::string> ParseDiffName(std::string_view text);

// The two names of "diff --git OLD NEW". Unset where it cannot be told where one ends.
std::optional<std::pair<std::string, std::string>> ParseGitNames(std::string_view text);

// Takes "a/" and "b/" off, where both names have theirs, or the other is /dev/null.
void DropPrefixes(std::string& old_name, std::string& new_name);

inline constexpr std::string_view kNoFile = "/dev/null";

}  // namespace cordon::tools
