// Hostile text made ready for a terminal, in pieces that are never torn apart.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace cordon::consent {

// One character with its marks, or one escape.
struct Glyph {
  std::string text;
  std::size_t cells = 0;  // at least as many as any terminal takes for it
};

// A name, so that nothing about it is hidden and no two names look the same: what
// does not show as itself is escaped, backslashes and double quotes too, and so are
// spaces at either end, runs of them, and everything else that looks blank. At most
// two marks stay on a letter: a tower of them would be drawn over other lines.
std::vector<Glyph> ShowName(std::string_view untrusted);

// One line of a preview: as a name, but spaces, quotes and backslashes stay.
std::vector<Glyph> ShowPreviewLine(std::string_view untrusted);

std::string Join(const std::vector<Glyph>& glyphs);

}  // namespace cordon::consent
