#include "tools/dialect/hunks.h"

#include <charconv>

#include "tools/dialect/js_text.h"

namespace cordon::tools::dialect {
namespace {

// "12,3" or "12", which is one line.
void ReadRange(std::string_view& text, std::int64_t& first, std::int64_t& count) {
  auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), first);
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  count = 1;
  if (!text.starts_with(',')) return;
  text.remove_prefix(1);
  end = std::from_chars(text.data(), text.data() + text.size(), count).ptr;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
}

Hunk ParseHeader(std::string_view line) {
  Hunk hunk;
  line.remove_prefix(4);  // "@@ -"
  ReadRange(line, hunk.old_first, hunk.old_count);
  if (line.starts_with(" +")) line.remove_prefix(2);
  ReadRange(line, hunk.new_first, hunk.new_count);
  return hunk;
}

}  // namespace

std::vector<Hunk> HunksOf(std::string_view diff) {
  std::vector<Hunk> hunks;
  while (!diff.empty()) {
    const std::size_t newline = diff.find('\n');
    const std::string_view line = diff.substr(0, newline);
    diff.remove_prefix(newline == diff.npos ? diff.size() : newline + 1);
    if (line.starts_with("@@ -")) {
      hunks.push_back(ParseHeader(line));
    } else if (!hunks.empty()) {
      hunks.back().lines.push_back(line);
    }
  }
  return hunks;
}

std::string NumberedSnippet(std::string_view diff) {
  std::string snippet;
  for (const Hunk& hunk : HunksOf(diff)) {
    std::int64_t number = hunk.new_first;
    for (std::string_view line : hunk.lines) {
      if (!line.starts_with(' ') && !line.starts_with('+')) continue;
      line.remove_prefix(1);
      if (line.ends_with('\r')) line.remove_suffix(1);
      snippet += PadStart(std::to_string(number), 6) + "\t" + std::string(line) + "\n";
      ++number;
    }
  }
  return snippet;
}

}  // namespace cordon::tools::dialect
