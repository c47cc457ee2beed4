#include "tools/place_lines.h"

namespace cordon::tools {
namespace {

std::string Join(std::span<const std::string> lines) {
  std::string text;
  for (const std::string& line : lines) {
    text += line;
    text += '\n';
  }
  return text;
}

}  // namespace

Replaced PlaceLines(const Lines& lines, std::size_t first, std::size_t last,
                    std::span<const std::string> next) {
  Replaced placed{lines.Start(first), lines.Start(last), Join(next)};
  const bool open_end = last == lines.size() && !lines.ends() && lines.size() > 0;
  if (!open_end) return placed;
  if (!next.empty()) placed.text.pop_back();
  if (first == lines.size()) {
    if (!next.empty()) placed.text.insert(0, 1, '\n');
  } else if (next.empty() && first > 0) {
    --placed.begin;  // the end of the line before, which is the last now
  }
  return placed;
}

}  // namespace cordon::tools
