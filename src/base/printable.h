// Untrusted text made safe to show to a person, a terminal or a model.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace cordon {

// Longest piece of untrusted text that a message repeats.
inline constexpr std::size_t kMaxEchoedBytes = 256;

// `text` with everything that does not show, or that changes how the rest shows,
// written out: control characters as \xNN, invisible and direction-changing
// code points as \u{N}, bytes that are not UTF-8 as \xNN. What is longer than
// kMaxEchoedBytes is cut, with "..." and its length in bytes.
std::string Printable(std::string_view text);

// Printable in double quotes, with \" for quotes inside.
std::string Quoted(std::string_view text);

}  // namespace cordon
