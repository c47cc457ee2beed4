#include "cli/terminal_text.h"

#include <cstdio>

#include "base/unicode.h"

namespace cordon::cli {
namespace {

enum class QuoteMarks { kPlain, kEscaped };

template <typename... Values>
void AppendFormatted(std::string& text, const char* format, Values... values) {
  char buffer[16];
  std::snprintf(buffer, sizeof buffer, format, values...);
  text += buffer;
}

void AppendEscape(std::string& text, char32_t code_point) {
  const auto value = static_cast<unsigned>(code_point);
  switch (value) {
    case '\n': text += "\\n"; return;
    case '\r': text += "\\r"; return;
    case '\t': text += "\\t"; return;
    default: break;
  }
  AppendFormatted(text, value < 0x80 ? "\\x%02x" : value < 0x10000 ? "\\u%04x" : "\\U%08x", value);
}

std::string Escape(std::string_view bytes, QuoteMarks marks, std::size_t limit) {
  const std::string_view shown = bytes.substr(0, limit);
  std::string text;
  std::size_t i = 0;
  while (i < shown.size()) {
    const unicode::Decoded decoded = unicode::DecodeFirst(bytes.substr(i));
    if (!decoded.valid) {
      AppendFormatted(text, "\\x%02x", static_cast<unsigned>(static_cast<unsigned char>(bytes[i])));
      ++i;
      continue;
    }
    const bool mark = decoded.code_point == U'"' || decoded.code_point == U'\\';
    if (!unicode::ShowsAsItself(decoded.code_point)) {
      AppendEscape(text, decoded.code_point);
    } else {
      if (mark && marks == QuoteMarks::kEscaped) text += '\\';
      text += bytes.substr(i, decoded.length);
    }
    i += decoded.length;
  }
  if (marks == QuoteMarks::kEscaped) text = '"' + text + '"';
  if (i < bytes.size()) text += "... (" + std::to_string(bytes.size()) + " bytes)";
  return text;
}

}  // namespace

std::string TerminalText(std::string_view bytes, std::size_t limit) {
  return Escape(bytes, QuoteMarks::kPlain, limit);
}

std::string Quoted(std::string_view bytes) {
  return Escape(bytes, QuoteMarks::kEscaped, kMaxShownBytes);
}

std::string JsonForTerminal(std::string_view json) {
  std::string text;
  text.reserve(json.size());
  for (std::size_t i = 0; i < json.size();) {
    const unicode::Decoded decoded = unicode::DecodeFirst(json.substr(i));
    if (!decoded.valid || unicode::ShowsAsItself(decoded.code_point)) {
      text += json.substr(i, decoded.length);
    } else if (decoded.code_point < 0x10000) {
      AppendFormatted(text, "\\u%04x", static_cast<unsigned>(decoded.code_point));
    } else {
      const auto rest = static_cast<unsigned>(decoded.code_point) - 0x10000;
      AppendFormatted(text, "\\u%04x\\u%04x", 0xd800 + (rest >> 10), 0xdc00 + (rest & 0x3ff));
    }
    i += decoded.length;
  }
  return text;
}

}  // namespace cordon::cli
