#include "tools/dialect/collation.h"

#include <cstddef>
#include <string>
#include <tuple>
#include <vector>

#include "base/unicode.h"

namespace cordon::tools::dialect {
namespace {

// ASCII as the root collation orders it; letters are folded before.
constexpr std::string_view kOrder =
    "\t\n\v\f\r _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789abcdefghijklmnopqrstuvwxyz";

struct Key {
  std::vector<char32_t> letters, accents;
  std::u32string cases;  // of ASCII letters: small before capital
};

bool IsAccent(char32_t c) { return c >= 0x300 && c < 0x370; }

Key KeyOf(std::string_view name) {
  Key key;
  const std::string folded = unicode::FoldCase(name);
  for (std::string_view rest = folded; !rest.empty();) {
    const unicode::Decoded first = unicode::DecodeFirst(rest);
    rest.remove_prefix(first.length);
    const char32_t c = first.code_point;
    if (IsAccent(c)) {
      key.accents.push_back(static_cast<char32_t>(key.letters.size()));
      key.accents.push_back(c);
      continue;
    }
    const std::size_t rank = c < 0x80 ? kOrder.find(static_cast<char>(c)) : kOrder.npos;
    if (rank != kOrder.npos) {
      key.letters.push_back(static_cast<char32_t>(rank));
    } else {
      key.letters.push_back(c + 0x80);
    }
  }
  for (const char c : name) key.cases += c >= 'A' && c <= 'Z' ? U'1' : U'0';
  return key;
}

}  // namespace

bool ReadsBefore(std::string_view a, std::string_view b) {
  const Key first = KeyOf(a), second = KeyOf(b);
  return std::tie(first.letters, first.accents, first.cases, a) <
         std::tie(second.letters, second.accents, second.cases, b);
}

}  // namespace cordon::tools::dialect
