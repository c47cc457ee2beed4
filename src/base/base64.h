// Bytes as text, RFC 4648.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace cordon {

std::string Base64Encode(std::string_view bytes);
// The same to where it is needed: `text` has Base64Room bytes, of which the last is no part of
// the text.
constexpr std::size_t Base64Room(std::size_t bytes) { return (bytes + 2) / 3 * 4 + 1; }
void Base64Encode(std::string_view bytes, char* text);
// With padding, without line breaks. Nothing if it is not that.
std::optional<std::string> Base64Decode(std::string_view text);

}  // namespace cordon
