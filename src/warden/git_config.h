// Whether a git configuration holds only what makes git run nothing. Pure text.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cordon::warden {

struct GitSetting {
  std::string section;     // lower case
  std::string subsection;  // as written
  std::string key;         // lower case
  std::string value;
  bool operator==(const GitSetting&) const = default;
};

// Nothing: not understood as git understands it, or beyond the limits.
std::optional<std::vector<GitSetting>> ParseGitConfig(std::string_view text);

// Errs towards false.
bool IsHarmless(const GitSetting& setting);

// The first setting of `text` that is neither harmless nor, just so, in `before`; "" if
// there is none; "?" if one of them is not understood. `worktree`: the only value that
// core.worktree may have, if any.
std::string HarmfulSetting(std::string_view text, std::string_view before,
                           std::string_view worktree);

}  // namespace cordon::warden
