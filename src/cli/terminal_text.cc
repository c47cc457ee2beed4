#include "cli/terminal_text.h"

#include <utf8proc.h>

#include <cstdio>

namespace cordon::cli {
namespace {

enum class QuoteMarks { kPlain, kEscaped };

struct Decoded {
  char32_t code_point = 0;
  std::size_t length = 0;  // 0: not UTF-8
};

Decoded DecodeAt(std::string_view bytes, std::size_t position) {
  utf8proc_int32_t code_point = -1;
  const utf8proc_ssize_t length =
      utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(bytes.data()) + position,
                       static_cast<utf8proc_ssize_t>(bytes.size() - position), &code_point);
  if (length <= 0 || code_point < 0) return {};
  return {static_cast<char32_t>(code_point), static_cast<std::size_t>(length)};
}

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
    const Decoded decoded = DecodeAt(bytes, i);
    if (decoded.length == 0) {
      AppendFormatted(text, "\\x%02x", static_cast<unsigned>(static_cast<unsigned char>(bytes[i])));
      ++i;
      continue;
    }
    const bool mark = decoded.code_point == U'"' || decoded.code_point == U'\\';
    if (IsUnsafeOnTerminal(decoded.code_point)) {
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

bool IsUnsafeOnTerminal(char32_t code_point) {
  switch (utf8proc_category(static_cast<utf8proc_int32_t>(code_point))) {
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_CS:
    case UTF8PROC_CATEGORY_CO:
    case UTF8PROC_CATEGORY_CN:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP: return true;
    default: return false;
  }
}

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
    const Decoded decoded = DecodeAt(json, i);
    const std::size_t length = decoded.length == 0 ? 1 : decoded.length;
    // ASCII is left alone: JSON has escaped its controls already, except DEL.
    if (decoded.length == 0 || !IsUnsafeOnTerminal(decoded.code_point)) {
      text += json.substr(i, length);
    } else if (decoded.code_point < 0x10000) {
      AppendFormatted(text, "\\u%04x", static_cast<unsigned>(decoded.code_point));
    } else {
      const auto rest = static_cast<unsigned>(decoded.code_point) - 0x10000;
      AppendFormatted(text, "\\u%04x\\u%04x", 0xd800 + (rest >> 10), 0xdc00 + (rest & 0x3ff));
    }
    i += length;
  }
  return text;
}

}  // namespace cordon::cli
