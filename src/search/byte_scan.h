// Looking through bytes many at a time.
#pragma once

#include <cstddef>
#include <string_view>

namespace cordon::search {

// How likely a byte is in source text and prose, from 0 (hardly ever) to 255.
unsigned char CommonnessOf(unsigned char byte);

// Two bytes of a needle, at fixed offsets from its start. With a mask of 0x20 a text byte
// is compared after setting that bit: both cases of an ASCII letter are then equal.
struct BytePair {
  std::size_t first_offset = 0, second_offset = 0;
  unsigned char first = 0, second = 0;
  unsigned char first_mask = 0, second_mask = 0;
};

// The next position from `from` on at which both bytes stand and that leaves `length`
// bytes in `text`; npos if there is none. Offsets must be below `length`.
std::size_t FindPair(std::string_view text, std::size_t from, const BytePair& pair,
                     std::size_t length);

std::size_t CountByte(std::string_view text, char byte);

// Wide forms, for processors that have them; same answers.
namespace wide {
bool Available();
std::size_t FindPair(std::string_view text, std::size_t from, const BytePair& pair,
                     std::size_t length);
std::size_t CountByte(std::string_view text, char byte);
}  // namespace wide

// Forms that any processor has.
namespace plain {
std::size_t FindPair(std::string_view text, std::size_t from, const BytePair& pair,
                     std::size_t length);
std::size_t CountByte(std::string_view text, char byte);
}  // namespace plain

}  // namespace cordon::search
