// Text from elsewhere, made fit for a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace cordon::cli {

// Longest piece of foreign text that is shown; the rest is counted, not shown.
inline constexpr std::size_t kMaxShownBytes = 500;

// One line in which every code point that does not show as
// itself (base/unicode.h), and every byte that is not UTF-8,
// is an escape such as \n, \x1b or \u202e. Cut after `limit` bytes.
std::string TerminalText(std::string_view bytes, std::size_t limit = kMaxShownBytes);

// The same between double quotes, with quotes and backslashes escaped too, so
// that no two different names look the same. Cut after kMaxShownBytes.
std::string Quoted(std::string_view bytes);

// JSON text in which such code points are \u escapes; still the same JSON.
std::string JsonForTerminal(std::string_view json);

}  // namespace cordon::cli
