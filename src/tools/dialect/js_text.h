// Values as programs in JavaScript write them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace cordon::tools::dialect {

// "Sun Nov 15 2026 13:42:13 GMT+0000 (Coordinated Universal Time)" of an RFC 3339 time
// in UTC; the text itself if it is none.
std::string JsDate(std::string_view timestamp);

// "12 B", "1.43 MB"
std::string JsSize(std::int64_t bytes);

// Widths count UTF-16 units.
std::string PadEnd(std::string_view text, std::size_t width);
std::string PadStart(std::string_view text, std::size_t width);

// Lines in order between "\n"; the last may be empty. "\r" stays.
std::string LastLines(std::string_view text, std::size_t count);

std::string WithPlainLineEnds(std::string_view text);  // "\r\n" becomes "\n"

}  // namespace cordon::tools::dialect
