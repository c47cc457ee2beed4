// Whole lines of a text for others, with an eye on the end of the file.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "tools/flat_text.h"
#include "tools/line_search.h"

namespace cordon::tools {

// What puts `next` in the place of the lines from `first` up to `last`.
// Guarantees: a text that ends in a line end still does, one that does not still does not;
//   an empty text gets one.
Replaced PlaceLines(const Lines& lines, std::size_t first, std::size_t last,
                    std::span<const std::string> next);

}  // namespace cordon::tools
