#include "base/printable.h"

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <utility>

#include "base/unicode.h"

namespace cordon {
namespace {

enum class QuoteMarks { kPlain, kEscaped };

void AppendHex(std::string& out, const char* format, char32_t value) {
  char escape[16];
  std::snprintf(escape, sizeof escape, format, static_cast<unsigned>(value));
  out += escape;
}

void AppendEscape(std::string& out, char32_t code_point) {
  switch (code_point) {
    case U'\n': out += "\\n"; return;
    case U'\r': out += "\\r"; return;
    case U'\t': out += "\\t"; return;
    default: break;
  }
  AppendHex(out,
            code_point < 0x80      ? "\\x%02x"
            : code_point < 0x10000 ? "\\u%04x"
                                   : "\\U%08x",
            code_point);
}

void AppendUnit(std::string& text, char32_t unit) {
  char escape[8];
  std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(unit & 0xffff));
  text += escape;
}

// Of the ASCII characters, those that show as themselves are these.
bool IsPlain(char c) { return c >= ' ' && c <= '~'; }

// The same of eight at once.
bool ArePlain(std::uint64_t bytes) {
  constexpr std::uint64_t kEach = 0x0101010101010101U;
  constexpr std::uint64_t kHighBits = 0x80 * kEach;
  // None above 0x7f, nor 0x7f itself; then all that are at least 0x20 get a high bit.
  if (((bytes | (bytes + kEach)) & kHighBits) != 0) return false;
  return ((bytes + 0x60 * kEach) & kHighBits) == kHighBits;
}

// How many of them `text` begins with: most text is nothing else.
std::size_t PlainLength(std::string_view text) {
  std::size_t at = 0;
  for (std::uint64_t bytes = 0; at + sizeof bytes <= text.size(); at += sizeof bytes) {
    std::memcpy(&bytes, text.data() + at, sizeof bytes);
    if (!ArePlain(bytes)) break;
  }
  while (at < text.size() && IsPlain(text[at])) ++at;
  return at;
}

struct Escaped {
  std::string text;
  std::string cut;  // what tells of the rest; empty if there is none
};

Escaped Escape(std::string_view text, QuoteMarks marks, std::size_t limit) {
  Escaped out;
  std::size_t i = 0;
  if (marks == QuoteMarks::kPlain) {
    i = PlainLength(text.substr(0, limit));
    out.text = text.substr(0, i);
  }
  while (i < text.size() && i < limit) {
    const unicode::Decoded next = unicode::DecodeFirst(text.substr(i));
    if (!next.valid) {
      AppendHex(out.text, "\\x%02x", next.code_point);
    } else if (!unicode::ShowsAsItself(next.code_point)) {
      AppendEscape(out.text, next.code_point);
    } else {
      const bool mark = next.code_point == U'"' || next.code_point == U'\\';
      if (mark && marks == QuoteMarks::kEscaped) out.text += '\\';
      out.text += text.substr(i, next.length);
    }
    i += next.length;
  }
  if (i < text.size()) out.cut = "... (" + std::to_string(text.size()) + " bytes)";
  return out;
}

}  // namespace

std::string Printable(std::string_view text, std::size_t limit) {
  Escaped escaped = Escape(text, QuoteMarks::kPlain, limit);
  return std::move(escaped.text += escaped.cut);
}

std::string Quoted(std::string_view text) {
  const Escaped escaped = Escape(text, QuoteMarks::kEscaped, kMaxEchoedBytes);
  return '"' + escaped.text + '"' + escaped.cut;
}

std::string PrintableJson(std::string json) {
  std::string_view rest = json;
  if (PlainLength(rest) == rest.size()) return json;
  std::string text;
  text.reserve(json.size());
  while (!rest.empty()) {
    const std::size_t plain = PlainLength(rest);
    text += rest.substr(0, plain);
    rest.remove_prefix(plain);
    if (rest.empty()) break;
    const unicode::Decoded next = unicode::DecodeFirst(rest);
    if (!next.valid) {
      AppendUnit(text, 0xfffd);
    } else if (unicode::ShowsAsItself(next.code_point)) {
      text += rest.substr(0, next.length);
    } else if (next.code_point < 0x10000) {
      AppendUnit(text, next.code_point);
    } else {
      AppendUnit(text, 0xd800 + ((next.code_point - 0x10000) >> 10));
      AppendUnit(text, 0xdc00 + ((next.code_point - 0x10000) & 0x3ff));
    }
    rest.remove_prefix(next.length);
  }
  return text;
}

}  // namespace cordon
