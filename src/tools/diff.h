// What changed between two texts, for people, models and patch.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace cordon::tools {

inline constexpr std::size_t kDiffContext = 3;

struct DiffLimits {
  std::size_t max_input = std::size_t{16} << 20;  // bytes of both texts together
  std::size_t max_output = std::size_t{1} << 20;  // bytes
  // Steps of the search for the shortest difference; beyond, one that is still right
  // but longer.
  std::size_t max_steps = 20'000'000;
};

// A unified diff, as `diff -u` writes it, of bytes: lines end in "\n", so that "\r\n"
// stays what it was, and a last line without one is said to have none. Empty if the
// texts are equal. Names are made printable; lines are not.
//
// Guarantees: applied to the old text, the diff gives the new one, unless it says that
//   it is cut, that a text is too large, or that one is binary (has a NUL byte).
//   Time and memory are bounded by the limits and linear in the texts.
std::string UnifiedDiff(std::string_view old_text, std::string_view new_text,
                        std::string_view old_name, std::string_view new_name,
                        std::size_t context = kDiffContext, const DiffLimits& limits = {});

}  // namespace cordon::tools
