#include "consent/line_flow.h"

#include <algorithm>
#include <utility>

namespace cordon::consent {

LineFlow::LineFlow(std::size_t columns, std::string_view start, std::string_view gutter)
    : columns_(columns), gutter_(gutter), used_(start.size()), lines_{std::string(start)} {}

LineFlow& LineFlow::Words(std::string_view words) {
  while (!words.empty()) {
    const std::size_t spaces = std::min(words.find_first_not_of(' '), words.size());
    const std::size_t end = std::min(words.find(' ', spaces), words.size());
    const std::string_view word = words.substr(spaces, end - spaces);
    if (used_ + end > columns_ && word.empty()) {
      used_ = columns_;  // the break takes the place of the space
    } else if (used_ + end > columns_ && used_ > 0) {
      Break("  ");
      Append(word, word.size());
    } else {
      Append(words.substr(0, end), end);
    }
    words.remove_prefix(end);
  }
  return *this;
}

LineFlow& LineFlow::Glyphs(const std::vector<Glyph>& glyphs) {
  static const Glyph kVisibleSpace = {"\\x20", 4};
  for (std::size_t i = 0; i < glyphs.size(); ++i) {
    const std::size_t next = i + 1 < glyphs.size() ? glyphs[i + 1].cells : 0;
    const bool lost = glyphs[i].text == " " && used_ + 1 + next > columns_;
    const Glyph& glyph = lost ? kVisibleSpace : glyphs[i];
    if (used_ + glyph.cells > columns_) Break(gutter_);
    Append(glyph.text, glyph.cells);
  }
  return *this;
}

void LineFlow::Append(std::string_view text, std::size_t cells) {
  lines_.back() += text;
  used_ += cells;
}

void LineFlow::Break(std::string_view start) {
  lines_.emplace_back(start);
  used_ = start.size();
}

}  // namespace cordon::consent
