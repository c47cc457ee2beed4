// Whether a glob could name what a deny rule covers.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "policy/deny_list.h"

namespace cordon::hook {

// Whether a wildcard at the beginning of a name matches a dot; in a shell it does not.
enum class Dots { kWrittenOut, kMatched };

// Whether some name matches both globs for one name each, in whatever case. `rule` has no
// limits as to dots.
// Errs towards true: "[...]" is taken for any characters, at least one, and so is "?".
bool MayMeet(std::string_view glob, std::string_view rule, Dots dots = Dots::kWrittenOut);

// Whether `glob`, below the rules' root, could name something `rule` covers.
bool MayName(std::string_view glob, const policy::DenyRule& rule, Dots dots = Dots::kWrittenOut);

// The globs that one with braces stands for, as tools of agents read them: "{a,b/c}" as "a" and
// "b/c", without backslashes before what is no wildcard. Nothing if they are too many to say.
std::optional<std::vector<std::string>> Alternatives(std::string_view glob);

// The directory that a glob's matches all lie below: "a/b" of "a/b/*.c"; the glob itself if
// it has no wildcard. Empty: where it is read from.
std::string_view FixedPart(std::string_view glob);

bool HasWildcard(std::string_view text);

}  // namespace cordon::hook
