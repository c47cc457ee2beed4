// Files of this host as URIs.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace cordon::mcp_tools {

inline constexpr std::string_view kFileTemplate = "file:///{+path}";

// The absolute path, dots resolved by text, without a slash at its end. Nothing if it is
// no file URI of this host (an empty one or "localhost"), names a query or a fragment,
// has a NUL, or is not percent-encoded properly.
std::optional<std::string> PathOfUri(std::string_view uri);

}  // namespace cordon::mcp_tools
