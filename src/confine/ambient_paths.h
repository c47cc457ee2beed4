// What must be known of the host's own paths before a boundary is drawn.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "confine/ambient_authority.h"
#include "cordon/result.h"

namespace cordon::confine {

// The real path of a directory that need not exist yet: links resolved as far as it
// does, the rest by text. Never fails: what cannot be resolved is taken by text.
std::string AmbientRealPath(std::string_view absolute, AmbientAuthority authority);

// Real paths of the homes of this machine's users and of $HOME, those that exist.
Result<std::vector<std::string>> AmbientHomeDirectories(AmbientAuthority authority);

// The absolute path of the program this process runs.
Result<std::string> AmbientOwnProgram(AmbientAuthority authority);

}  // namespace cordon::confine
