// Every tool there is.
#pragma once

#include <span>
#include <string_view>

#include "tools/tool.h"

namespace cordon::tools {

// In the order in which they are listed; the same on every run.
std::span<const Tool* const> AllTools();

// Null if there is none of this name.
const Tool* FindTool(std::string_view name);

// For a name that leads nowhere; tells which do.
Error UnknownTool(std::string_view name);

}  // namespace cordon::tools
