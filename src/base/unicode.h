// What the tree needs of Unicode, and the only place that calls utf8proc.
// Text is any bytes: what is not UTF-8 is kept byte for byte.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace cordon::unicode {

// The first code point of a text.
struct Decoded {
  char32_t code_point = 0;  // the byte itself when it is not UTF-8
  std::size_t length = 0;   // in bytes; 0 only for an empty text
  bool valid = false;       // false: one byte that is not UTF-8
};
Decoded DecodeFirst(std::string_view text);

bool IsAscii(std::string_view text);

// No overlong forms, no surrogates, nothing above U+10FFFF.
bool IsValidUtf8(std::string_view text);

// False for what steers a terminal, reorders or hides what is beside it, or ends
// the line: controls, format characters (bidi overrides among them), line
// separators, private and unassigned code points, and those that are drawn as
// nothing, such as variation selectors and fillers.
bool ShowsAsItself(char32_t code_point);

// True for what Unicode says may be left out when it cannot be shown (its property
// Default_Ignorable_Code_Point): soft hyphen, zero width space, variation selectors.
bool IsDefaultIgnorable(char32_t code_point);

// How many cells of a terminal it takes: 0 for a mark on what is before it, 2 for wide ones.
std::size_t CellsOf(char32_t code_point);

// How many UTF-16 units the text takes; a byte that is not UTF-8 counts as one.
std::size_t Utf16Length(std::string_view text);

// The form by which texts are compared without regard to case and normal form:
// full case folding between two canonical decompositions. Idempotent.
std::string FoldCase(std::string_view text);

// Upper case as NTFS has it: one code point for one, no normal form, nothing
// beyond the basic plane, and never an ASCII letter for another character.
std::string UpcaseSimple(std::string_view text);

}  // namespace cordon::unicode
