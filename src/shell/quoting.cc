#include "shell/quoting.h"

#include <cstdint>

namespace cordon::shell {
namespace {

int DigitValue(char byte) {
  if (byte >= '0' && byte <= '9') return byte - '0';
  if (byte >= 'a' && byte <= 'f') return byte - 'a' + 10;
  if (byte >= 'A' && byte <= 'F') return byte - 'A' + 10;
  return 16;
}

// Takes up to `most` digits of `base` from `text`, beginning at `at`.
std::optional<std::uint32_t> TakeNumber(std::string_view text, std::size_t& at, int base,
                                        int most) {
  std::uint32_t value = 0;
  int taken = 0;
  while (taken < most && at < text.size() && DigitValue(text[at]) < base) {
    value =
        value * static_cast<std::uint32_t>(base) + static_cast<std::uint32_t>(DigitValue(text[at]));
    ++at;
    ++taken;
  }
  if (taken == 0) return std::nullopt;
  return value;
}

void AppendUtf8(std::string& out, std::uint32_t point) {
  const auto tail = [&](int shift) { out += static_cast<char>(0x80 | ((point >> shift) & 0x3f)); };
  if (point < 0x80) {
    out += static_cast<char>(point);
  } else if (point < 0x800) {
    out += static_cast<char>(0xc0 | (point >> 6));
    tail(0);
  } else if (point < 0x10000) {
    out += static_cast<char>(0xe0 | (point >> 12));
    tail(6);
    tail(0);
  } else {
    out += static_cast<char>(0xf0 | ((point >> 18) & 0x07));
    tail(12);
    tail(6);
    tail(0);
  }
}

char SimpleEscape(char letter) {
  switch (letter) {
    case 'a': return '\a';
    case 'b': return '\b';
    case 'e':
    case 'E': return '\x1b';
    case 'f': return '\f';
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    case 'v': return '\v';
    case '\\':
    case '\'':
    case '"':
    case '?': return letter;
    default: return '\0';
  }
}

}  // namespace

std::string DecodeAnsiQuotes(std::string_view inside) {
  std::string out;
  std::size_t at = 0;
  while (at < inside.size()) {
    if (inside[at] != '\\' || at + 1 >= inside.size()) {
      out += inside[at++];
      continue;
    }
    const char letter = inside[at + 1];
    const std::size_t escape = at;
    at += 2;
    std::optional<std::uint32_t> number;
    if (letter >= '0' && letter <= '7') {
      --at;
      number = TakeNumber(inside, at, 8, 3);
      *number &= 0xff;
      out += static_cast<char>(*number);
    } else if (letter == 'x') {
      number = TakeNumber(inside, at, 16, 2);
      if (number) out += static_cast<char>(*number);
    } else if (letter == 'u' || letter == 'U') {
      number = TakeNumber(inside, at, 16, letter == 'u' ? 4 : 8);
      if (number) AppendUtf8(out, *number);
    } else if (letter == 'c' && at < inside.size()) {
      number = static_cast<unsigned char>(inside[at++]) & 0x1fU;
      out += static_cast<char>(*number);
    } else if (const char simple = SimpleEscape(letter); simple != '\0') {
      out += simple;
      continue;
    }
    if (!number) {
      out += inside.substr(escape, at - escape);
    } else if (*number == 0) {
      out.pop_back();
      return out;
    }
  }
  return out;
}

std::string DecodeBackquotes(std::string_view inside, Around around) {
  std::string out;
  for (std::size_t at = 0; at < inside.size(); ++at) {
    const char next = at + 1 < inside.size() ? inside[at + 1] : '\0';
    const bool drops = next == '`' || next == '\\' || next == '$' ||
                       (next == '"' && around == Around::kDoubleQuotes);
    if (inside[at] == '\\' && drops) ++at;
    out += inside[at];
  }
  return out;
}

std::string QuotedLine(std::span<const std::string> words) {
  std::string line;
  for (const std::string& word : words) {
    line += line.empty() ? "'" : " '";
    for (const char byte : word) {
      if (byte == '\'') {
        line += "'\\''";
      } else {
        line += byte;
      }
    }
    line += '\'';
  }
  return line;
}

}  // namespace cordon::shell
