// Why an edit could not be made, with what helps to make it.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "tools/flat_text.h"
#include "tools/outcome.h"

namespace cordon::tools {

Failure EditFailure(ErrorCode code, std::string detail);

// Nothing is like `wanted` in the text: shows what comes closest. `what` names what was
// looked for: "the text to replace".
Failure NoMatchFailure(std::string_view text, std::string_view wanted, std::string_view what);

// As above for a pattern, of which nothing can be close.
Failure NoPatternFailure(std::string_view pattern);

// `lines`: where it was found, from 1. `expected`: how many places there should be.
Failure CountFailure(std::size_t count, std::span<const std::size_t> lines, std::size_t expected);

}  // namespace cordon::tools
