#include "cli/output_style.h"

#include <cstdlib>

#include "base/unicode.h"
#include "platform/standard_output.h"

namespace cordon::cli {
namespace {

constexpr std::size_t kNarrowest = 60;  // narrower ones must break lines
constexpr std::size_t kUnknownTerminal = 80;

std::string_view Variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::string_view() : std::string_view(value);
}

// As the C library finds the locale of characters: the first that is set and not empty.
bool LocaleIsUtf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const std::string_view value = Variable(name);
    if (value.empty()) continue;
    const std::string folded = unicode::FoldCase(value);
    return folded.find("utf-8") != std::string::npos || folded.find("utf8") != std::string::npos;
  }
  return false;
}

std::string_view CodeOf(Ink ink) {
  switch (ink) {
    case Ink::kPlain: return "";
    case Ink::kRefused: return "\x1b[31m";
    case Ink::kAsked: return "\x1b[33m";
    case Ink::kFaint: return "\x1b[2m";
  }
  return "";
}

}  // namespace

OutputStyle StyleOfStandardOutput() {
  OutputStyle style;
  const platform::StandardOutput output = platform::DescribeStandardOutput();
  if (output.is_terminal) {
    style.columns = output.columns == 0 ? kUnknownTerminal : output.columns;
    if (style.columns < kNarrowest) style.columns = kNarrowest;
    if (Variable("NO_COLOR").empty() && Variable("TERM") != "dumb") style.colour = Colour::kAnsi;
  }
  if (LocaleIsUtf8()) style.glyphs = Glyphs::kUnicode;
  return style;
}

std::string Inked(std::string_view text, Ink ink, Colour colour) {
  std::string inked;
  const std::string_view code = CodeOf(ink);
  if (colour == Colour::kNone || code.empty() || text.empty()) return std::string(text);
  inked += code;
  inked += text;
  inked += "\x1b[0m";
  return inked;
}

}  // namespace cordon::cli
