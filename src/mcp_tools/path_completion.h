// The rest of a path that somebody has begun to type.
#pragma once

#include <stop_token>
#include <string_view>

#include "guard/guard.h"
#include "mcp/service.h"

namespace cordon::mcp_tools {

// `begun`: the value of kFileTemplate's "path" so far, from the top of the host on, with
// or without the first slash. Tells the roots that fit and the entries of a directory in
// them, directories with a slash at the end; nothing of what lies outside, and nobody is
// asked for anything.
mcp::Completions CompletePath(guard::Guard& guard, std::string_view begun,
                              const std::stop_token& stop);

}  // namespace cordon::mcp_tools
