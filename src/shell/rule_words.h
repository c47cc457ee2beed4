// Words of a rule against arguments of which not all may be known.
#pragma once

#include <string_view>

#include "shell/rule_match.h"

namespace cordon::shell {

// Whether a program takes "-rf" for "-r -f".
enum class Clusters { kNone, kOfLetters };

// `pattern`: "*", "?" and "[...]". A pattern that cannot be read is like nothing.
bool IsLike(std::string_view pattern, std::string_view text);

// Whether the argument is, or holds, the option or word that `word` is a pattern for: "--force"
// is in "--force=x", and "-f" in "-rf". What may be a short form is perhaps one.
Match FindsWord(std::string_view word, const Argument& argument, Clusters clusters);

}  // namespace cordon::shell
