#include "mcp/json_text.h"

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

// The highest bit of each byte that is not plain; of those above the lowest such byte it may
// be wrong.
std::uint64_t NotPlain(std::uint64_t word) {
  constexpr std::uint64_t kOnes = 0x0101010101010101U;
  constexpr std::uint64_t kHighs = kOnes << 7U;
  const std::uint64_t quote = word ^ (kOnes * '"');
  const std::uint64_t backslash = word ^ (kOnes * '\\');
  const std::uint64_t control = (word - kOnes * 0x20) & ~word;
  return (control | ((quote - kOnes) & ~quote) | ((backslash - kOnes) & ~backslash)) & kHighs;
}

// Eight bytes at a time: texts are long, and little of them is not plain.
std::size_t PlainLength(std::string_view text) {
  std::size_t at = 0;
  if constexpr (std::endian::native == std::endian::little) {
    for (; at + sizeof(std::uint64_t) <= text.size(); at += sizeof(std::uint64_t)) {
      std::uint64_t word = 0;
      std::memcpy(&word, text.data() + at, sizeof word);
      const std::uint64_t found = NotPlain(word);
      if (found != 0) return at + static_cast<std::size_t>(std::countr_zero(found)) / 8;
    }
  }
  while (at < text.size() && IsPlain(text[at])) ++at;
  return at;
}

void AppendEscaped(std::string& text, char c) {
  switch (c) {
    case '"': text += "\\\""; return;
    case '\\': text += "\\\\"; return;
    case '\b': text += "\\b"; return;
    case '\f': text += "\\f"; return;
    case '\n': text += "\\n"; return;
    case '\r': text += "\\r"; return;
    case '\t': text += "\\t"; return;
    default: break;
  }
  const auto byte = static_cast<unsigned char>(c);
  text += "\\u00";
  text += kHexDigits[byte >> 4U];
  text += kHexDigits[byte & 15U];
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
  while (true) {
    const std::size_t plain = PlainLength(string);
    text.append(string.substr(0, plain));
    if (plain == string.size()) break;
    AppendEscaped(text, string[plain]);
    string.remove_prefix(plain + 1);
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
