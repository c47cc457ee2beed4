// Where a regular expression matches, and what its replacement makes of each place.
#pragma once

#include <cstddef>
#include <stop_token>
#include <string_view>

#include "cordon/result.h"
#include "tools/flat_text.h"
#include "tools/match.h"

namespace cordon::tools {

inline constexpr std::size_t kMaxPattern = 32 * 1024;

struct PatternLimits {
  std::size_t most_places = 1'000'000;
  std::size_t most_bytes = 64u << 20;  // of all new texts together
  std::stop_token stop = {};
};

// `pattern` in RE2's syntax, "^" and "$" at every line; `rewrite` has \1 to \9 for what
// groups matched, \0 for all of it and \\ for a backslash; "$" is a plain character.
// Places do not overlap, and an empty match right after another counts as part of it.
// Errors: kInvalidArguments, with what is wrong in the pattern or the rewrite;
//   kLimitExceeded: a pattern that needs too much memory, more or larger places than the
//   limits allow, or too long a search.
Result<Found> FindPattern(std::string_view text, std::string_view pattern, std::string_view rewrite,
                          const PatternLimits& limits);

}  // namespace cordon::tools
