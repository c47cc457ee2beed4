#include "mcp/json_text.h"

#include <algorithm>
#include <array>
#include <bit>
#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <charconv>
#include <cstdint>
#include <cstring>

namespace cordon::mcp {
namespace {

namespace json = boost::json;

constexpr std::string_view kHexDigits = "0123456789abcdef";

bool IsPlain(char c) { return static_cast<unsigned char>(c) >= 0x20 && c != '"' && c != '\\'; }

constexpr std::size_t kBlock = 16;
using Block = std::array<char, kBlock>;

// Of the bytes of a word in memory, the first that is not 0; there is one.
std::size_t FirstByte(std::uint64_t word) {
  const int zeros =
      std::endian::native == std::endian::little ? std::countr_zero(word) : std::countl_zero(word);
  return static_cast<std::size_t>(zeros) / 8;
}

// How many bytes at the beginning of a block are plain. Written so that compilers make a few
// vector instructions of the loop: texts are long, and little of them is not plain.
std::size_t PlainLength(const Block& block) {
  std::array<unsigned char, kBlock> odd;
  for (std::size_t i = 0; i < kBlock; ++i) odd[i] = IsPlain(block[i]) ? 0 : 1;
  std::array<std::uint64_t, 2> words;
  static_assert(sizeof words == sizeof odd);
  std::memcpy(words.data(), odd.data(), sizeof words);
  if ((words[0] | words[1]) == 0) return kBlock;
  return words[0] != 0 ? FirstByte(words[0]) : sizeof words[0] + FirstByte(words[1]);
}

// Longest that a byte can become: \u001f.
constexpr std::size_t kLongest = 6;

char* PutEscaped(char* to, char c) {
  const auto put = [&to](char second) {
    *to++ = '\\';
    *to++ = second;
    return to;
  };
  switch (c) {
    case '"': return put('"');
    case '\\': return put('\\');
    case '\b': return put('b');
    case '\f': return put('f');
    case '\n': return put('n');
    case '\r': return put('r');
    case '\t': return put('t');
    default: break;
  }
  const auto byte = static_cast<unsigned char>(c);
  to = std::copy_n("\\u00", 4, to);
  *to++ = kHexDigits[byte >> 4U];
  *to++ = kHexDigits[byte & 15U];
  return to;
}

// A piece of a text, escaped in a place of its own: to add to a string bit by bit takes longer.
constexpr std::size_t kPiece = 512;

void AppendPiece(std::string& text, std::string_view piece) {
  std::array<char, kPiece * kLongest + kBlock> made;  // not cleared; blocks are put whole
  char* to = made.data();
  while (piece.size() >= kBlock) {
    Block block;
    std::memcpy(block.data(), piece.data(), kBlock);
    std::memcpy(to, block.data(), kBlock);
    const std::size_t plain = PlainLength(block);
    to += plain;
    if (plain < kBlock) to = PutEscaped(to, block[plain]);
    piece.remove_prefix(std::min(plain + 1, kBlock));
  }
  for (const char c : piece) {
    if (IsPlain(c)) {
      *to++ = c;
    } else {
      to = PutEscaped(to, c);
    }
  }
  text.append(made.data(), static_cast<std::size_t>(to - made.data()));
}

template <typename Integer>
void AppendNumber(std::string& text, Integer number) {
  std::array<char, 24> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  text.append(digits.data(), end);
}

void AppendArray(std::string& text, const json::array& array) {
  text += '[';
  bool first = true;
  for (const json::value& item : array) {
    if (!first) text += ',';
    first = false;
    AppendJson(text, item);
  }
  text += ']';
}

}  // namespace

void AppendJson(std::string& text, std::string_view string) {
  text += '"';
  while (!string.empty()) {
    AppendPiece(text, string.substr(0, kPiece));
    string.remove_prefix(std::min(kPiece, string.size()));
  }
  text += '"';
}

void AppendJson(std::string& text, const json::object& object) {
  text += '{';
  bool first = true;
  for (const auto& [key, value] : object) {
    if (!first) text += ',';
    first = false;
    AppendJson(text, std::string_view(key));
    text += ':';
    AppendJson(text, value);
  }
  text += '}';
}

void AppendJson(std::string& text, const json::value& value) {
  switch (value.kind()) {
    case json::kind::null: text += "null"; return;
    case json::kind::bool_: text += value.get_bool() ? "true" : "false"; return;
    case json::kind::int64: AppendNumber(text, value.get_int64()); return;
    case json::kind::uint64: AppendNumber(text, value.get_uint64()); return;
    case json::kind::double_: text += json::serialize(value); return;
    case json::kind::string: AppendJson(text, std::string_view(value.get_string())); return;
    case json::kind::array: AppendArray(text, value.get_array()); return;
    case json::kind::object: AppendJson(text, value.get_object()); return;
  }
}

}  // namespace cordon::mcp
