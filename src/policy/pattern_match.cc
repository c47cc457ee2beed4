#include <algorithm>
#include <array>
#include <cstddef>

#include "policy/pattern_text.h"
#include "policy/pattern_tokens.h"

namespace cordon::policy {
namespace {

using Kind = PatternToken::Kind;

using path::NameRules;

char32_t LowerAscii(char32_t c) { return c >= U'A' && c <= U'Z' ? c + 32 : c; }
char32_t UpperAscii(char32_t c) { return c >= U'a' && c <= U'z' ? c - 32 : c; }

bool InClass(const PatternToken& token, char32_t c) {
  const bool listed =
      std::any_of(token.ranges.begin(), token.ranges.end(),
                  [&](const PatternToken::Range& r) { return r.first <= c && c <= r.last; });
  return listed != token.negated;
}

// Under folding a class stands for whatever could fold into it.
PatternToken FoldClass(const PatternToken& token) {
  const bool ascii = std::all_of(token.ranges.begin(), token.ranges.end(),
                                 [](const PatternToken::Range& r) { return r.last < 0x80; });
  if (token.negated || !ascii) return PatternToken::Wildcard(Kind::kAny);
  PatternToken folded = token;
  for (char32_t c = 0; c < 0x80; ++c) {
    if (!InClass(token, c)) continue;
    folded.ranges.push_back({LowerAscii(c), LowerAscii(c)});
    folded.ranges.push_back({UpperAscii(c), UpperAscii(c)});
  }
  return folded;
}

// The key of text that more text may follow: nothing at its end is stripped.
std::string KeyOfInside(std::string_view text, NameRules rules) {
  std::string key = path::NameKey(std::string(text) + "a", rules);
  if (!key.empty()) key.pop_back();
  return key;
}

// What one character may become when it is folded, in ASCII.
constexpr std::array<std::u32string_view, 7> kExpansions{U"ss", U"ff",  U"fi", U"fl",
                                                         U"st", U"ffi", U"ffl"};

// Marks in `next` where a match of "?" that begins at `at` may end: one
// character may fold into several.
void MarkAnyEnds(std::u32string_view key, std::size_t at, std::vector<char>& next) {
  constexpr std::size_t kLongest = 4;
  next[at + 1] = 1;
  for (std::size_t i = at + 1; i < key.size() && i < at + kLongest && key[i] >= 0x80; ++i) {
    next[i + 1] = 1;
  }
  for (const std::u32string_view expansion : kExpansions) {
    if (key.substr(at).starts_with(expansion)) next[at + expansion.size()] = 1;
  }
}

}  // namespace

bool PatternToken::Accepts(char32_t c) const {
  switch (kind) {
    case Kind::kCharacter: return character == c;
    case Kind::kAny: return true;
    case Kind::kClass: return InClass(*this, c);
    case Kind::kStar: break;
  }
  return false;
}

PatternTokens FoldPattern(const PatternTokens& tokens, NameRules rules) {
  const bool ntfs = path::Any(rules & NameRules::kNtfs);
  PatternTokens folded;
  const auto append = [&](std::string_view text) {
    for (const char32_t c : ToCharacters(text)) folded.push_back(PatternToken::Character(c));
  };
  std::string run;
  for (const PatternToken& token : tokens) {
    if (token.kind == Kind::kCharacter) {
      // What follows names a stream of the file, which is the file itself.
      if (ntfs && token.character == U':') break;
      AppendCharacter(run, token.character);
      continue;
    }
    append(KeyOfInside(run, rules));
    run.clear();
    folded.push_back(token.kind == Kind::kClass ? FoldClass(token) : token);
  }
  append(path::NameKey(run, rules));
  return folded;
}

bool MatchesName(const PatternTokens& tokens, std::string_view name) {
  std::size_t token = 0;
  std::size_t star = tokens.size();  // the last "*" passed, if any
  std::string_view retry;            // where what follows that "*" was last tried
  while (!name.empty()) {
    if (token < tokens.size() && tokens[token].kind == Kind::kStar) {
      star = token++;
      retry = name;
      continue;
    }
    std::string_view after = name;
    const char32_t c = TakeCharacter(after);
    if (token < tokens.size() && tokens[token].Accepts(c)) {
      ++token;
      name = after;
    } else if (star < tokens.size()) {
      TakeCharacter(retry);
      name = retry;
      token = star + 1;
    } else {
      return false;
    }
  }
  while (token < tokens.size() && tokens[token].kind == Kind::kStar) ++token;
  return token == tokens.size();
}

bool MatchesKey(const PatternTokens& tokens, std::string_view text) {
  const std::u32string key = ToCharacters(text);
  std::vector<char> reached(key.size() + 1, 0);
  reached[0] = 1;
  for (const PatternToken& token : tokens) {
    std::vector<char> next(key.size() + 1, 0);
    bool any = false;
    for (std::size_t i = 0; i <= key.size(); ++i) {
      if (token.kind == Kind::kStar) {
        any = any || reached[i] != 0;
        next[i] = any ? 1 : 0;
      } else if (reached[i] != 0 && i < key.size()) {
        if (token.kind == Kind::kAny) {
          MarkAnyEnds(key, i, next);
        } else if (token.Accepts(key[i])) {
          next[i + 1] = 1;
        }
      }
    }
    reached = std::move(next);
  }
  return reached.back() != 0;
}

}  // namespace cordon::policy
