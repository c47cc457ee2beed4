#include "base/unicode.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
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

using CodePoints = std::vector<utf8proc_int32_t>;

utf8proc_propval_t CombiningClass(utf8proc_int32_t code_point) {
  return utf8proc_get_property(code_point)->combining_class;
}

// Puts each run of marks into canonical order. The library's own way takes the
// square of a run's length, which an attacker chooses.
void OrderMarks(CodePoints& points) {
  const auto is_mark = [](utf8proc_int32_t c) { return CombiningClass(c) != 0; };
  auto begin = std::find_if(points.begin(), points.end(), is_mark);
  while (begin != points.end()) {
    const auto end = std::find_if_not(begin, points.end(), is_mark);
    std::stable_sort(begin, end, [](utf8proc_int32_t a, utf8proc_int32_t b) {
      return CombiningClass(a) < CombiningClass(b);
    });
    begin = std::find_if(end, points.end(), is_mark);
  }
}

void FlushDecomposed(std::string& out, CodePoints& points) {
  OrderMarks(points);
  for (const utf8proc_int32_t point : points) Append(out, static_cast<char32_t>(point));
  points.clear();
}

void Decompose(CodePoints& points, char32_t code_point, int options) {
  std::array<utf8proc_int32_t, 32> parts{};  // the longest there is takes far fewer
  int boundary = UTF8PROC_BOUNDCLASS_START;
  const auto count = utf8proc_decompose_char(
      static_cast<utf8proc_int32_t>(code_point), parts.data(), parts.size(),
      static_cast<utf8proc_option_t>(UTF8PROC_DECOMPOSE | options), &boundary);
  if (count < 0 || count > static_cast<utf8proc_ssize_t>(parts.size())) {
    points.push_back(static_cast<utf8proc_int32_t>(code_point));
  } else {
    points.insert(points.end(), parts.begin(), parts.begin() + count);
  }
}

std::string Decompose(std::string_view text, int options) {
  std::string out;
  out.reserve(text.size());
  CodePoints points;
  while (!text.empty()) {
    const Decoded next = DecodeFirst(text);
    if (next.valid) {
      Decompose(points, next.code_point, options);
    } else {
      FlushDecomposed(out, points);
      out += text.front();
    }
    text.remove_prefix(next.length);
  }
  FlushDecomposed(out, points);
  return out;
}

// How many bytes at the beginning are ASCII, as far as eight at a time tell.
std::size_t AsciiWords(std::string_view text) {
  constexpr std::uint64_t kHighBits = 0x8080808080808080U;
  std::size_t at = 0;
  for (std::array<std::uint64_t, 4> words; at + sizeof words <= text.size(); at += sizeof words) {
    std::memcpy(words.data(), text.data() + at, sizeof words);
    if (((words[0] | words[1] | words[2] | words[3]) & kHighBits) != 0) break;
  }
  for (std::uint64_t word = 0; at + sizeof word <= text.size(); at += sizeof word) {
    std::memcpy(&word, text.data() + at, sizeof word);
    if ((word & kHighBits) != 0) break;
  }
  return at;
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
    text.remove_prefix(AsciiWords(text));
    if (text.empty()) break;
    const Decoded next = DecodeFirst(text);
    if (!next.valid) return false;
    text.remove_prefix(next.length);
  }
  return true;
}

bool ShowsAsItself(char32_t code_point) {
  const utf8proc_property_t* const property =
      utf8proc_get_property(static_cast<utf8proc_int32_t>(code_point));
  if (property->ignorable) return false;
  switch (property->category) {
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

bool IsDefaultIgnorable(char32_t code_point) {
  return utf8proc_get_property(static_cast<utf8proc_int32_t>(code_point))->ignorable != 0;
}

std::size_t CellWidth(char32_t code_point) {
  const int width = utf8proc_charwidth(static_cast<utf8proc_int32_t>(code_point));
  return width > 0 ? static_cast<std::size_t>(width) : 0;
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
