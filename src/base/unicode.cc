#include "base/unicode.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <vector>

namespace cordon::unicode {
namespace {

const utf8proc_uint8_t* Bytes(std::string_view text) {
  return reinterpret_cast<const utf8proc_uint8_t*>(text.data());
}

char AsciiLower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
char AsciiUpper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

void Append(std::string& text, char32_t code_point) {
  std::array<utf8proc_uint8_t, 4> bytes{};
  const auto count = utf8proc_encode_char(static_cast<utf8proc_int32_t>(code_point), bytes.data());
  text.append(reinterpret_cast<const char*>(bytes.data()), static_cast<std::size_t>(count));
}

// Length of the longest beginning of `text` that is all UTF-8, or all not.
std::size_t RunLength(std::string_view text, bool& valid) {
  valid = DecodeFirst(text).valid;
  std::size_t length = 0;
  while (length < text.size()) {
    const Decoded next = DecodeFirst(text.substr(length));
    if (next.valid != valid) break;
    length += next.length;
  }
  return length;
}

// `valid` must be UTF-8, so the library has nothing to refuse.
void AppendDecomposed(std::string& out, std::string_view valid, int options) {
  const auto size = static_cast<utf8proc_ssize_t>(valid.size());
  const auto flags = static_cast<utf8proc_option_t>(UTF8PROC_DECOMPOSE | options);
  std::vector<utf8proc_int32_t> points(valid.size() + 8);
  auto count = utf8proc_decompose(Bytes(valid), size, points.data(),
                                  static_cast<utf8proc_ssize_t>(points.size()), flags);
  if (count > static_cast<utf8proc_ssize_t>(points.size())) {
    points.resize(static_cast<std::size_t>(count));
    count = utf8proc_decompose(Bytes(valid), size, points.data(), count, flags);
  }
  for (utf8proc_ssize_t i = 0; i < count; ++i) {
    Append(out, static_cast<char32_t>(points[static_cast<std::size_t>(i)]));
  }
}

std::string Decompose(std::string_view text, int options) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    bool valid = false;
    const std::size_t length = RunLength(text, valid);
    const std::string_view run = text.substr(0, length);
    if (valid) {
      AppendDecomposed(out, run, options);
    } else {
      out += run;
    }
    text.remove_prefix(length);
  }
  return out;
}

}  // namespace

Decoded DecodeFirst(std::string_view text) {
  if (text.empty()) return {};
  const auto first = static_cast<unsigned char>(text.front());
  if (first < 0x80) return {first, 1, true};
  utf8proc_int32_t code_point = 0;
  const auto length =
      utf8proc_iterate(Bytes(text), static_cast<utf8proc_ssize_t>(text.size()), &code_point);
  if (length <= 0) return {first, 1, false};
  return {static_cast<char32_t>(code_point), static_cast<std::size_t>(length), true};
}

bool IsAscii(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

bool IsValidUtf8(std::string_view text) {
  while (!text.empty()) {
    const Decoded next = DecodeFirst(text);
    if (!next.valid) return false;
    text.remove_prefix(next.length);
  }
  return true;
}

bool ShowsAsItself(char32_t code_point) {
  switch (utf8proc_category(static_cast<utf8proc_int32_t>(code_point))) {
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_CS:
    case UTF8PROC_CATEGORY_CO:
    case UTF8PROC_CATEGORY_CN:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP: return false;
    default: return true;
  }
}

std::size_t Utf16Length(std::string_view text) {
  std::size_t units = 0;
  while (!text.empty()) {
    const Decoded next = DecodeFirst(text);
    units += next.valid && next.code_point > 0xFFFF ? 2 : 1;
    text.remove_prefix(next.length);
  }
  return units;
}

std::string FoldCase(std::string_view text) {
  if (IsAscii(text)) {
    std::string lower(text);
    std::transform(lower.begin(), lower.end(), lower.begin(), AsciiLower);
    return lower;
  }
  // Folding before decomposing would give canonically equal texts different keys.
  std::string key = Decompose(Decompose(text, 0), UTF8PROC_CASEFOLD);
  // One more round is enough for every code point there is; the bound is for those to come.
  for (int round = 0; round < 4; ++round) {
    std::string again = Decompose(key, UTF8PROC_CASEFOLD);
    if (again == key) break;
    key = std::move(again);
  }
  return key;
}

std::string UpcaseSimple(std::string_view text) {
  std::string upper;
  upper.reserve(text.size());
  while (!text.empty()) {
    const Decoded next = DecodeFirst(text);
    if (next.length == 1) {
      upper += AsciiUpper(text.front());
    } else {
      const auto mapped =
          static_cast<char32_t>(utf8proc_toupper(static_cast<utf8proc_int32_t>(next.code_point)));
      // The library gives sharp s the capital that Unicode's own table leaves out.
      const bool foreign =
          next.code_point > 0xFFFF || mapped > 0xFFFF || mapped < 0x80 || next.code_point == 0xDF;
      Append(upper, foreign ? next.code_point : mapped);
    }
    text.remove_prefix(next.length);
  }
  return upper;
}

}  // namespace cordon::unicode
