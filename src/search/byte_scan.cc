#include "search/byte_scan.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace cordon::search {
namespace {

// From common to rare, in source text and prose; what is not listed is rarer still.
constexpr std::string_view kByFrequency =
    " etaonirslcdupmfhg_\n,.)(ybw-v;=k>\":x'*/0T1SEACI#&2RNPOLDM{}zjq<3FU[]q4B58GH+6|V97!W%"
    "\\\t@KX$QY?J~Z^`";
constexpr unsigned char kTop = 250;

constexpr std::array<unsigned char, 256> MakeCommonness() {
  std::array<unsigned char, 256> table{};
  for (std::size_t i = 0x80; i < 256; ++i) table[i] = 60;  // parts of other scripts
  unsigned char value = kTop;
  for (const char c : kByFrequency) {
    auto& slot = table[static_cast<unsigned char>(c)];
    if (slot == 0) slot = value;
    value = static_cast<unsigned char>(value - 2);
  }
  table[0] = 100;
  return table;
}
constexpr std::array<unsigned char, 256> kCommonness = MakeCommonness();

}  // namespace

unsigned char CommonnessOf(unsigned char byte) { return kCommonness[byte]; }

namespace plain {

std::size_t FindPair(std::string_view text, std::size_t from, const BytePair& pair,
                     std::size_t length) {
  if (text.size() < length) return std::string_view::npos;
  const std::size_t end = text.size() - length + 1;
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  std::size_t i = from;
  while (i < end) {
    if (pair.first_mask == 0) {
      const void* hit = std::memchr(text.data() + i + pair.first_offset, pair.first, end - i);
      if (hit == nullptr) return std::string_view::npos;
      i = static_cast<std::size_t>(static_cast<const char*>(hit) - text.data()) - pair.first_offset;
    } else if ((at(i + pair.first_offset) | pair.first_mask) != pair.first) {
      ++i;
      continue;
    }
    if ((at(i + pair.second_offset) | pair.second_mask) == pair.second) return i;
    ++i;
  }
  return std::string_view::npos;
}

std::size_t CountByte(std::string_view text, char byte) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), byte));
}

}  // namespace plain

std::size_t FindPair(std::string_view text, std::size_t from, const BytePair& pair,
                     std::size_t length) {
  static const bool has_wide = wide::Available();
  return has_wide ? wide::FindPair(text, from, pair, length)
                  : plain::FindPair(text, from, pair, length);
}

std::size_t CountByte(std::string_view text, char byte) {
  static const bool has_wide = wide::Available();
  return has_wide ? wide::CountByte(text, byte) : plain::CountByte(text, byte);
}

}  // namespace cordon::search
