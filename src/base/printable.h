// Untrusted text made safe to show to a person, a terminal or a model.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace cordon {

// Longest piece of untrusted text that is repeated; the rest is counted, not shown.
inline constexpr std::size_t kMaxEchoedBytes = 512;

// One line in which every code point that does not show as itself (base/unicode.h),
// and every byte that is not UTF-8, is an escape such as \n, \x1b, \u202e or
// \U000e0041. Cut after the character that reaches `limit` bytes of `text`, and
// then followed by "..." and the length of the whole. Quotes and backslashes stay,
// so what is Printable or Quoted already does not change again.
std::string Printable(std::string_view text, std::size_t limit = kMaxEchoedBytes);

// The same between double quotes, with quotes and backslashes escaped too: it cannot
// be closed from inside, and no two texts that are shown whole come out the same.
// What tells of a cut stands outside the quotes.
std::string Quoted(std::string_view text);

// The same JSON, with a \u escape for every code point that does not show as itself, and
// U+FFFD for bytes that are not UTF-8, which JSON cannot have.
std::string PrintableJson(std::string json);

}  // namespace cordon
