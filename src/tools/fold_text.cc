#include "tools/fold_text.h"

#include <algorithm>

#include "base/unicode.h"

namespace cordon::tools {
namespace {

// 0: stays.
char FoldOf(char32_t c) {
  if ((c >= 0x2010 && c <= 0x2015) || c == 0x2212) return '-';
  if (c >= 0x2018 && c <= 0x201B) return '\'';
  if (c >= 0x201C && c <= 0x201F) return '"';
  if (c == 0xA0 || (c >= 0x2002 && c <= 0x200A) || c == 0x202F || c == 0x205F || c == 0x3000) {
    return ' ';
  }
  return 0;
}

}  // namespace

FoldedText::FoldedText(std::string_view text) {
  text_.reserve(text.size());
  std::size_t missing = 0;
  while (!text.empty()) {
    // All that folds is outside ASCII.
    const auto plain = static_cast<std::size_t>(
        std::ranges::find_if(text, [](char c) { return static_cast<signed char>(c) < 0; }) -
        text.begin());
    text_ += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) break;
    const unicode::Decoded first = unicode::DecodeFirst(text);
    const char folded = first.valid ? FoldOf(first.code_point) : '\0';
    if (folded == '\0') {
      text_ += text.substr(0, first.length);
    } else {
      text_ += folded;
      missing += first.length - 1;
      missing_.emplace_back(text_.size(), missing);
    }
    text.remove_prefix(first.length);
  }
}

std::size_t FoldedText::Original(std::size_t position) const {
  const auto after =
      std::ranges::upper_bound(missing_, position, {}, [](const auto& one) { return one.first; });
  return after == missing_.begin() ? position : position + std::prev(after)->second;
}

std::string FoldPunctuation(std::string_view text) { return FoldedText(text).text(); }

}  // namespace cordon::tools
