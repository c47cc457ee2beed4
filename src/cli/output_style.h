// What standard output can show.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace cordon::cli {

enum class Glyphs { kAscii, kUnicode };
enum class Colour { kNone, kAnsi };

struct OutputStyle {
  std::size_t columns = 100;  // at least 60; 100 where it is no terminal
  Glyphs glyphs = Glyphs::kAscii;
  Colour colour = Colour::kNone;
};

// From standard output and the environment: colour on a terminal if NO_COLOR is
// unset or empty, characters beyond ASCII where the locale is UTF-8.
OutputStyle StyleOfStandardOutput();

enum class Ink { kPlain, kRefused, kAsked, kFaint };
std::string Inked(std::string_view text, Ink ink, Colour colour);

}  // namespace cordon::cli
