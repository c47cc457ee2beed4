#include "policy/pattern.h"

#include <algorithm>
#include <utility>

#include "policy/pattern_text.h"

namespace cordon::policy {
namespace {

using path::NameRules;
using Kind = PatternToken::Kind;
using Tokens = std::vector<PatternToken>;

Error BadPattern(std::string_view pattern, std::string detail) {
  Error error;
  error.code = ErrorCode::kInvalidArguments;
  error.op = "compile pattern";
  error.component = pattern;
  error.detail = std::move(detail);
  return error;
}

char32_t LowerAscii(char32_t c) { return c >= U'A' && c <= U'Z' ? c + 32 : c; }
char32_t UpperAscii(char32_t c) { return c >= U'a' && c <= U'z' ? c - 32 : c; }

PatternToken Character(char32_t c) {
  PatternToken token;
  token.character = c;
  return token;
}

PatternToken Wildcard(Kind kind) {
  PatternToken token;
  token.kind = kind;
  return token;
}

bool InClass(const PatternToken& token, char32_t c) {
  const bool listed =
      std::any_of(token.ranges.begin(), token.ranges.end(),
                  [&](const PatternToken::Range& r) { return r.first <= c && c <= r.last; });
  return listed != token.negated;
}

bool Accepts(const PatternToken& token, char32_t c) {
  switch (token.kind) {
    case Kind::kCharacter: return token.character == c;
    case Kind::kAny: return true;
    case Kind::kClass: return InClass(token, c);
    case Kind::kStar: break;
  }
  return false;
}

// Reads what follows "[", up to and with "]".
Result<PatternToken> TakeClass(std::string_view pattern, std::string_view& rest) {
  PatternToken token = Wildcard(Kind::kClass);
  if (!rest.empty() && (rest.front() == '!' || rest.front() == '^')) {
    token.negated = true;
    rest.remove_prefix(1);
  }
  const auto take = [&]() -> std::optional<char32_t> {
    if (rest.empty()) return std::nullopt;
    char32_t c = TakeCharacter(rest);
    if (c != U'\\') return c;
    if (rest.empty()) return std::nullopt;
    return TakeCharacter(rest);
  };
  const Error unclosed = BadPattern(
      pattern, "\"[\" is not closed by \"]\" in the same name; write \"\\[\" for the character");
  for (bool first = true; first || rest.empty() || rest.front() != ']'; first = false) {
    const std::optional<char32_t> low = take();
    if (!low) return unclosed;
    std::optional<char32_t> high = low;
    if (rest.size() >= 2 && rest[0] == '-' && rest[1] != ']') {
      rest.remove_prefix(1);
      high = take();
      if (!high) return unclosed;
    }
    if (*low > *high) return BadPattern(pattern, "a range in \"[...]\" runs backwards");
    token.ranges.push_back({*low, *high});
  }
  rest.remove_prefix(1);
  return token;
}

Result<Tokens> Tokenize(std::string_view pattern) {
  Tokens tokens;
  for (std::string_view rest = pattern; !rest.empty();) {
    const char32_t c = TakeCharacter(rest);
    if (c == U'*') {
      if (tokens.empty() || tokens.back().kind != Kind::kStar) {
        tokens.push_back(Wildcard(Kind::kStar));
      }
    } else if (c == U'?') {
      tokens.push_back(Wildcard(Kind::kAny));
    } else if (c == U'[') {
      Result<PatternToken> token = TakeClass(pattern, rest);
      if (!token) return std::move(token.error());
      tokens.push_back(std::move(*token));
    } else if (c == U'\\') {
      if (rest.empty()) return BadPattern(pattern, "\"\\\" at the end escapes nothing");
      tokens.push_back(Character(TakeCharacter(rest)));
    } else {
      tokens.push_back(Character(c));
    }
  }
  return tokens;
}

// Under folding a class stands for whatever could fold into it.
PatternToken FoldClass(const PatternToken& token) {
  const bool ascii = std::all_of(token.ranges.begin(), token.ranges.end(),
                                 [](const PatternToken::Range& r) { return r.last < 0x80; });
  if (token.negated || !ascii) return Wildcard(Kind::kAny);
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

// The pattern as it must be matched against keys under `rules`.
Tokens Fold(const Tokens& tokens, NameRules rules) {
  const bool ntfs = path::Any(rules & NameRules::kNtfs);
  Tokens folded;
  const auto append = [&](std::string_view text) {
    for (const char32_t c : ToCharacters(text)) folded.push_back(Character(c));
  };
  std::string run;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const PatternToken& token = tokens[i];
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

bool MatchCharacters(const Tokens& tokens, std::string_view name) {
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
    if (token < tokens.size() && Accepts(tokens[token], c)) {
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

bool MatchKey(const Tokens& tokens, const std::u32string& key) {
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
        } else if (Accepts(token, key[i])) {
          next[i + 1] = 1;
        }
      }
    }
    reached = std::move(next);
  }
  return reached.back() != 0;
}

// For ShortNameMayAlias, which knows "*" and "?" only.
std::string ShortNameGlob(const Tokens& tokens) {
  std::string glob;
  for (const PatternToken& token : tokens) {
    const bool wild = token.character == U'*' || token.character == U'?';
    switch (token.kind) {
      case Kind::kStar: glob += '*'; break;
      case Kind::kAny:
      case Kind::kClass: glob += '?'; break;
      case Kind::kCharacter:
        if (wild) {
          glob += '?';
        } else {
          AppendCharacter(glob, token.character);
        }
        break;
    }
  }
  return glob;
}

bool SameCharacters(const Tokens& a, const Tokens& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
    return x.kind == y.kind && x.character == y.character &&
           (x.kind == Kind::kCharacter || x.kind == Kind::kStar);
  });
}

std::vector<unsigned char> Bytes(const std::vector<const PatternToken*>& edges) {
  std::vector<unsigned char> bytes;
  for (const PatternToken* token : edges) {
    if (token == nullptr || token->kind != Kind::kCharacter) return {};
    // An ASCII name never begins or ends with another character.
    if (token->character < 0x80) {
      bytes.push_back(static_cast<unsigned char>(LowerAscii(token->character)));
    }
  }
  if (bytes.empty()) bytes.push_back(0);  // only names that are not ASCII: no NUL is in a name
  std::sort(bytes.begin(), bytes.end());
  bytes.erase(std::unique(bytes.begin(), bytes.end()), bytes.end());
  return bytes;
}

}  // namespace

NameLook LookOf(std::string_view name) {
  if (name.empty() || name.back() == '.' || name.back() == ' ') return NameLook::kOdd;
  const bool odd = std::any_of(name.begin(), name.end(), [](char c) {
    return static_cast<unsigned char>(c) >= 0x80 || c == '~' || c == ':';
  });
  return odd ? NameLook::kOdd : NameLook::kAscii;
}

const std::string& KeyedName::key(std::size_t rule) {
  std::optional<std::string>& key = keys_[rule];
  if (!key) key = path::NameKey(name_, kKeyRules[rule]);
  return *key;
}

Result<NamePattern> NamePattern::Compile(std::string_view text) {
  if (text.empty()) return BadPattern(text, "the pattern is empty");
  if (text.size() > kMaxPatternBytes) {
    return BadPattern(text.substr(0, 40),
                      "the pattern is longer than " + std::to_string(kMaxPatternBytes) + " bytes");
  }
  if (text.find('\0') != std::string_view::npos) {
    return BadPattern(text, "the pattern contains a NUL byte, which no name does");
  }
  if (text == "." || text == "..") {
    return BadPattern(text, "\".\" and \"..\" are not names; a pattern must name an entry");
  }
  Result<Tokens> tokens = Tokenize(text);
  if (!tokens) return std::move(tokens.error());

  NamePattern pattern;
  pattern.tokens_ = std::move(*tokens);
  std::size_t wild = 0;
  bool utf8 = true;
  for (const PatternToken& token : pattern.tokens_) {
    if (token.kind != Kind::kCharacter) ++wild;
    if (token.kind != Kind::kCharacter) continue;
    utf8 = utf8 && token.character < kRawByte;
    AppendCharacter(pattern.literal_, token.character);
  }
  // Bytes and characters agree on where text ends only in UTF-8.
  if (wild == 0) {
    pattern.shape_ = Shape::kLiteral;
  } else if (wild == 1 && utf8 && pattern.tokens_.back().kind == Kind::kStar) {
    pattern.shape_ = Shape::kPrefix;
  } else if (wild == 1 && utf8 && pattern.tokens_.front().kind == Kind::kStar) {
    pattern.shape_ = Shape::kSuffix;
  }
  pattern.one_to_one_ =
      std::none_of(pattern.tokens_.begin(), pattern.tokens_.end(), [](const PatternToken& token) {
        return token.kind == Kind::kAny || token.kind == Kind::kClass;
      });
  pattern.stable_ = true;
  for (std::size_t i = 0; i < kKeyRules.size(); ++i) {
    pattern.folded_[i] = Fold(pattern.tokens_, kKeyRules[i]);
    pattern.stable_ = pattern.stable_ && SameCharacters(pattern.tokens_, pattern.folded_[i]);
  }
  pattern.short_name_glob_ = ShortNameGlob(pattern.tokens_);
  for (const unsigned char byte : pattern.FirstBytes()) pattern.first_.set(byte);
  for (const unsigned char byte : pattern.LastBytes()) pattern.last_.set(byte);
  return pattern;
}

bool NamePattern::Matches(std::string_view name) const {
  switch (shape_) {
    case Shape::kLiteral: return name == literal_;
    case Shape::kPrefix: return name.starts_with(literal_);
    case Shape::kSuffix: return name.ends_with(literal_);
    case Shape::kGeneral: break;
  }
  return MatchCharacters(tokens_, name);
}

bool NamePattern::WorthAliasing(std::string_view name, NameLook look) const {
  if (look == NameLook::kOdd) return true;
  const auto fits = [](const std::bitset<256>& bytes, char c) {
    return bytes.none() || bytes.test(LowerAscii(static_cast<unsigned char>(c)));
  };
  if (!fits(first_, name.front()) || !fits(last_, name.back())) return false;
  return !stable_ ||
         std::any_of(name.begin(), name.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
}

bool NamePattern::MatchesKey(std::size_t rule, const std::string& key) const {
  if (one_to_one_) return MatchCharacters(folded_[rule], key);
  return MatchKey(folded_[rule], ToCharacters(key));
}

NameRules NamePattern::MayAlias(KeyedName& name, NameLook look,
                                std::span<const std::string> except) const {
  // Then there is one key, the name in lower case, and the pattern is its own fold.
  if (look == NameLook::kAscii && stable_ && !Matches(name.key(0))) return NameRules::kExact;
  NameRules found = NameRules::kExact;
  for (std::size_t i = 0; i < kKeyRules.size(); ++i) {
    const std::string& key = name.key(i);
    if (!MatchesKey(i, key)) continue;
    const bool excepted = std::any_of(except.begin(), except.end(), [&](const std::string& other) {
      return path::NameKey(other, kKeyRules[i]) == key;
    });
    // The last turn is for a spelling that needs several rules at once.
    if (!excepted && (kKeyRules[i] != NameRules::kAll || !path::Any(found))) {
      found = found | kKeyRules[i];
    }
  }
  // An alias does not tell for which long name it stands: exceptions cannot count.
  if (name.name().find('~') != std::string_view::npos &&
      (path::ShortNameMayAlias(name.name(), short_name_glob_) ||
       path::ShortNameMayAlias(name.key(1), short_name_glob_))) {
    found = found | NameRules::kNtfs;
  }
  return found;
}

std::vector<unsigned char> NamePattern::FirstBytes() const {
  std::vector<const PatternToken*> edges{&tokens_.front()};
  for (const Tokens& tokens : folded_) edges.push_back(tokens.empty() ? nullptr : &tokens.front());
  return Bytes(edges);
}

std::vector<unsigned char> NamePattern::LastBytes() const {
  std::vector<const PatternToken*> edges{&tokens_.back()};
  for (const Tokens& tokens : folded_) edges.push_back(tokens.empty() ? nullptr : &tokens.back());
  return Bytes(edges);
}

}  // namespace cordon::policy
