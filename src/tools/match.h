// Where a quoted text occurs: exactly, or else as nearly as it can be told apart from
// everything else.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "tools/flat_text.h"
#include "tools/line_search.h"

namespace cordon::tools {

// Beyond these only exact matches are looked for: what looser ones need grows with the text.
inline constexpr std::size_t kMaxLooseBytes = 16u << 20;
inline constexpr std::size_t kMaxLooseLines = 1'000'000;

struct Found {
  MatchPass pass = MatchPass::kExact;
  std::size_t count = 0;     // of all places, also of those that overlap
  std::size_t disjoint = 0;  // of those that do not, taken from the left
  // The disjoint ones, with what makes the new text of each; as many as were asked for.
  std::vector<Replaced> places;
};

// Looks for `old_text` in the first pass that finds it, and says what to replace by
// `new_text`. The passes after the exact one:
//   kTrailingWhitespace  whole lines, but for blanks at their ends;
//   kIndentation         whole lines, but for blanks around them; the new lines are
//                        indented as the file is;
//   kPunctuation         with quotes, dashes and spaces taken as their ASCII forms;
//                        within lines, else as kIndentation.
// What `old_text` and `new_text` begin or end with alike stays as the file has it.
// Neither text has "\r\n"; `old_text` is not empty.
// Time: linear in the texts, whatever they hold.
Found FindPlaces(std::string_view text, std::string_view old_text, std::string_view new_text,
                 std::size_t most_places);

}  // namespace cordon::tools
