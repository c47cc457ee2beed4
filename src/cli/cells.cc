#include "cli/cells.h"

#include "base/unicode.h"

namespace cordon::cli {
namespace {

constexpr std::string_view kGap = "...";

// The longest beginning that fits.
std::string_view Head(std::string_view text, std::size_t cells) {
  std::size_t bytes = 0;
  std::size_t used = 0;
  while (bytes < text.size()) {
    const unicode::Decoded next = unicode::DecodeFirst(text.substr(bytes));
    used += unicode::CellWidth(next.code_point);
    if (used > cells) break;
    bytes += next.length;
  }
  return text.substr(0, bytes);
}

// The longest end that fits, and does not begin with a mark on what is gone.
std::string_view Tail(std::string_view text, std::size_t cells) {
  std::size_t used = CellWidth(text);
  std::size_t bytes = 0;
  while (bytes < text.size()) {
    const unicode::Decoded next = unicode::DecodeFirst(text.substr(bytes));
    const std::size_t width = unicode::CellWidth(next.code_point);
    if (used <= cells && width != 0) break;
    used -= width;
    bytes += next.length;
  }
  return text.substr(bytes);
}

}  // namespace

std::size_t CellWidth(std::string_view text) {
  std::size_t cells = 0;
  while (!text.empty()) {
    const unicode::Decoded next = unicode::DecodeFirst(text);
    cells += unicode::CellWidth(next.code_point);
    text.remove_prefix(next.length);
  }
  return cells;
}

std::string FitMiddle(std::string_view text, std::size_t cells) {
  if (CellWidth(text) <= cells) return std::string(text);
  if (cells <= kGap.size()) return std::string(kGap.substr(0, cells));
  // The end of a name tells more than its beginning.
  const std::size_t left = cells - kGap.size();
  std::string fitted(Head(text, left / 3));
  fitted += kGap;
  fitted += Tail(text, cells - CellWidth(fitted));
  return fitted;
}

std::string Column(std::string_view text, std::size_t cells) {
  std::string column = FitMiddle(text, cells);
  column.append(cells - CellWidth(column), ' ');
  return column;
}

}  // namespace cordon::cli
