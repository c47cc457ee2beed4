// Text of one name as characters: the reading that patterns are matched by.
#pragma once

#include <string>
#include <string_view>

namespace cordon::policy {

// A byte that is not part of UTF-8 becomes this plus the byte.
inline constexpr char32_t kRawByte = 0x110000;

// Takes the first character off `text`, which must not be empty.
inline char32_t TakeCharacter(std::string_view& text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  std::size_t length = 1;
  char32_t value = lead;
  char32_t least = 0;
  if (lead >= 0xC2 && lead <= 0xDF) {
    length = 2, value = lead & 0x1F, least = 0x80;
  } else if (lead >= 0xE0 && lead <= 0xEF) {
    length = 3, value = lead & 0x0F, least = 0x800;
  } else if (lead >= 0xF0 && lead <= 0xF4) {
    length = 4, value = lead & 0x07, least = 0x10000;
  } else if (lead >= 0x80) {
    value = kRawByte + lead;
  }
  bool valid = length <= text.size();
  for (std::size_t i = 1; valid && i < length; ++i) {
    valid = (byte(i) & 0xC0) == 0x80;
    value = (value << 6) | (byte(i) & 0x3F);
  }
  valid = valid && (length == 1 ||
                    (value >= least && value <= 0x10FFFF && !(value >= 0xD800 && value <= 0xDFFF)));
  if (!valid) {
    length = 1;
    value = kRawByte + lead;
  }
  text.remove_prefix(length);
  return value;
}

inline std::u32string ToCharacters(std::string_view text) {
  std::u32string characters;
  characters.reserve(text.size());
  while (!text.empty()) characters.push_back(TakeCharacter(text));
  return characters;
}

inline void AppendCharacter(std::string& text, char32_t c) {
  const auto put = [&](char32_t byte) { text.push_back(static_cast<char>(byte)); };
  if (c >= kRawByte) {
    put(c - kRawByte);
  } else if (c < 0x80) {
    put(c);
  } else if (c < 0x800) {
    put(0xC0 | (c >> 6)), put(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    put(0xE0 | (c >> 12)), put(0x80 | ((c >> 6) & 0x3F)), put(0x80 | (c & 0x3F));
  } else {
    put(0xF0 | (c >> 18)), put(0x80 | ((c >> 12) & 0x3F));
    put(0x80 | ((c >> 6) & 0x3F)), put(0x80 | (c & 0x3F));
  }
}

}  // namespace cordon::policy
