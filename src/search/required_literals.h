// Literals that whatever a pattern matches must contain.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cordon::search {

// One of these, in any ASCII case, is in every text that the regular expression matches;
// empty if nothing useful is known. `expression` must be valid.
enum class Folding { kAsWritten, kInsensitive };
std::vector<std::string> RequiredLiterals(const std::string& expression, Folding folding);

// The longest part of a literal that only ASCII letters' own two cases can stand for:
// "k" and "s" have a third (U+212A, U+017F), other letters' cases differ in bytes.
std::string FoldableSegment(std::string_view literal);

}  // namespace cordon::search
