// The parts of a pattern for one name: read, folded and matched.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cordon/result.h"
#include "path/name_rules.h"

namespace cordon::policy {

// Part of a pattern: a character, "?", "*" or "[...]".
struct PatternToken {
  enum class Kind { kCharacter, kAny, kStar, kClass };
  struct Range {
    char32_t first;
    char32_t last;
  };
  Kind kind = Kind::kCharacter;
  char32_t character = 0;
  std::vector<Range> ranges;  // of a class
  bool negated = false;

  static PatternToken Character(char32_t c);
  static PatternToken Wildcard(Kind kind);
  // Whether it takes this one character; a "*" takes none by itself.
  bool Accepts(char32_t c) const;
};
using PatternTokens = std::vector<PatternToken>;

Error BadPattern(std::string_view pattern, std::string detail);

// Errors: kInvalidArguments with the pattern in `component`.
Result<PatternTokens> ReadPattern(std::string_view pattern);

// The pattern as it must be matched against keys under `rules`.
PatternTokens FoldPattern(const PatternTokens& tokens, path::NameRules rules);

// Time: at most the product of both lengths.
bool MatchesName(const PatternTokens& tokens, std::string_view name);

// As MatchesName, but "?" and "[...]" take all that one character may have become
// by folding. Time: the product of both lengths.
bool MatchesKey(const PatternTokens& tokens, std::string_view key);

}  // namespace cordon::policy
