// The parts of a unified diff, for texts and data that tell a change in another form.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cordon::tools::dialect {

struct Hunk {
  std::int64_t old_first = 0, old_count = 0, new_first = 0, new_count = 0;
  std::vector<std::string_view> lines;  // each with its mark; of the diff's text
};

// Of one of our own diffs. What is no hunk is passed over.
std::vector<Hunk> HunksOf(std::string_view diff);

// The new side of what changed and what is around it, as `cat -n` numbers lines.
std::string NumberedSnippet(std::string_view diff);

}  // namespace cordon::tools::dialect
