// Text in the cells of a terminal. All text here is Printable already.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace cordon::cli {

std::size_t CellWidth(std::string_view text);

// At most `cells` wide: the middle of what is longer gives way to "...".
std::string FitMiddle(std::string_view text, std::size_t cells);
// Exactly `cells` wide: fitted, and filled with spaces at the end.
std::string Column(std::string_view text, std::size_t cells);

}  // namespace cordon::cli
