// Which lines two texts have in common.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cordon::tools {

// Lines are numbers here: equal numbers are equal lines.
struct LineChanges {
  std::vector<bool> removed;  // of the old text
  std::vector<bool> added;    // of the new text
};

// Guarantees: the lines that are neither removed nor added are the same ones, in the
//   same order; as many as can be, where `max_steps` suffices to find out.
// Memory: linear. Time: linear beside `max_steps`.
LineChanges MatchLines(std::span<const std::uint32_t> old_lines,
                       std::span<const std::uint32_t> new_lines, std::size_t max_steps);

}  // namespace cordon::tools
