// Text of one name as characters: the reading that patterns are matched by.
#pragma once

#include <string>
#include <string_view>

#include "base/unicode.h"

namespace cordon::policy {

// A byte that is not part of UTF-8 becomes this plus the byte.
inline constexpr char32_t kRawByte = 0x110000;

// Takes the first character off `text`, which must not be empty.
inline char32_t TakeCharacter(std::string_view& text) {
  const auto lead = static_cast<unsigned char>(text.front());
  if (lead < 0x80) {
    text.remove_prefix(1);
    return lead;
  }
  const unicode::Decoded decoded = unicode::DecodeFirst(text);
  text.remove_prefix(decoded.length);
  return decoded.valid ? decoded.code_point : kRawByte + lead;
}

std::u32string ToCharacters(std::string_view text);
void AppendCharacter(std::string& text, char32_t character);

}  // namespace cordon::policy
