#include "path/name_rules.h"

#include <cstddef>

#include "base/unicode.h"

namespace cordon::path {
namespace {

bool IsIgnorableOnHfs(char32_t c) {
  return (c >= 0x200C && c <= 0x200F) || (c >= 0x202A && c <= 0x202E) ||
         (c >= 0x206A && c <= 0x206F) || c == 0xFEFF;
}

bool IsIgnorable(char32_t c, NameRules rules) {
  return (Any(rules & NameRules::kHfs) && IsIgnorableOnHfs(c)) ||
         (Any(rules & NameRules::kLinuxFold) && unicode::IsDefaultIgnorable(c));
}

std::string DropIgnorable(std::string_view name, NameRules rules) {
  std::string kept;
  kept.reserve(name.size());
  while (!name.empty()) {
    const unicode::Decoded next = unicode::DecodeFirst(name);
    if (!next.valid || !IsIgnorable(next.code_point, rules)) kept += name.substr(0, next.length);
    name.remove_prefix(next.length);
  }
  return kept;
}

}  // namespace

std::string_view StripNtfsDecoration(std::string_view name) {
  const std::string_view file = name.substr(0, name.find(':'));
  const std::size_t last = file.find_last_not_of(". ");
  // Dots and spaces alone are no decorated name but a word of the path grammar.
  return last == std::string_view::npos ? file : file.substr(0, last + 1);
}

std::string NameKey(std::string_view name, NameRules rules) {
  if (!Any(rules)) return std::string(name);
  std::string held;
  if (Any(rules & (NameRules::kHfs | NameRules::kLinuxFold)) && !unicode::IsAscii(name)) {
    held = DropIgnorable(name, rules);
    // Bytes on both sides of what was dropped may have become a code point.
    while (held.size() < name.size()) {
      std::string again = DropIgnorable(held, rules);
      if (again.size() == held.size()) break;
      held = std::move(again);
    }
    name = held;
  }
  if (Any(rules & NameRules::kNtfs)) name = StripNtfsDecoration(name);
  return unicode::FoldCase(name);
}

}  // namespace cordon::path
