// Fills lines of a fixed width with our own words and with names that are not ours.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "consent/shown_text.h"

namespace cordon::consent {

// What stands before every further line of a name: no line of the prompt begins so.
inline constexpr std::string_view kNameGutter = "    : ";
inline constexpr std::string_view kPreviewGutter = "  | ";
inline constexpr std::string_view kPreviewFurtherGutter = "  : ";

// One paragraph. Begins with `start`; glyphs that do not fit go to a further line,
// which begins with `gutter`.
class LineFlow {
 public:
  LineFlow(std::size_t columns, std::string_view start, std::string_view gutter = kNameGutter);

  // Plain ASCII of our own, broken at spaces.
  LineFlow& Words(std::string_view words);
  // Broken anywhere but within a glyph. A space that would end up at a line's end, where
  // nobody sees it, becomes an escape.
  LineFlow& Glyphs(const std::vector<Glyph>& glyphs);

  const std::vector<std::string>& lines() const { return lines_; }

 private:
  void Append(std::string_view text, std::size_t cells);
  void Break(std::string_view start);

  std::size_t columns_;
  std::string_view gutter_;
  std::size_t used_;
  std::vector<std::string> lines_;
};

}  // namespace cordon::consent
