#include "base/printable.h"

#include <algorithm>
#include <cstdio>
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

// How many of them `text` begins with: most text is nothing else.
std::size_t PlainLength(std::string_view text) {
  return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), IsPlain) -
                                  text.begin());
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

std::string PrintableJson(std::string_view json) {
  std::string text;
  text.reserve(json.size());
  while (!json.empty()) {
    const std::size_t plain = PlainLength(json);
    text += json.substr(0, plain);
    json.remove_prefix(plain);
    if (json.empty()) break;
    const unicode::Decoded next = unicode::DecodeFirst(json);
    if (!next.valid) {
      AppendUnit(text, 0xfffd);
    } else if (unicode::ShowsAsItself(next.code_point)) {
      text += json.substr(0, next.length);
    } else if (next.code_point < 0x10000) {
      AppendUnit(text, next.code_point);
    } else {
      AppendUnit(text, 0xd800 + ((next.code_point - 0x10000) >> 10));
      AppendUnit(text, 0xdc00 + ((next.code_point - 0x10000) & 0x3ff));
    }
    json.remove_prefix(next.length);
  }
  return text;
}

}  // namespace cordon
