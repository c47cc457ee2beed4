// Whether a glob could name what a deny rule covers.
#pragma once

#include <string_view>

#include "policy/deny_list.h"

namespace cordon::hook {

// Whether some name matches both globs for one name each, in whatever case. As in a shell,
// a wildcard at the beginning of `glob` matches no dot; `rule` has no such limit.
// Errs towards true: "[...]" is taken for any characters, at least one, and so is "?".
bool MayMeet(std::string_view glob, std::string_view rule);

// Whether `glob`, below the rules' root, could name something `rule` covers.
bool MayName(std::string_view glob, const policy::DenyRule& rule);

// The directory that a glob's matches all lie below: "a/b" of "a/b/*.c"; the glob itself if
// it has no wildcard. Empty: where it is read from.
std::string_view FixedPart(std::string_view glob);

bool HasWildcard(std::string_view text);

}  // namespace cordon::hook
