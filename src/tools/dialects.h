// Every dialect there is.
#pragma once

#include <span>

#include "tools/dialect/dialect_menu.h"

namespace cordon::tools {

// In the order in which they are listed.
std::span<const dialect::DialectMenu* const> AllDialects();

namespace dialect {

// Each in a file of its own below dialects/.
extern const Dialect kMcpFilesystem, kGemini, kLighthouse, kLace, kClaude, kOpenHands;

}  // namespace dialect
}  // namespace cordon::tools
