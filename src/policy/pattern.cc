#include "policy/pattern.h"

#include <algorithm>
#include <utility>

#include "policy/pattern_text.h"

namespace cordon::policy {
namespace {

using path::NameRules;
using Kind = PatternToken::Kind;
using Tokens = PatternTokens;

unsigned char LowerAscii(char32_t c) {
  return static_cast<unsigned char>(c >= U'A' && c <= U'Z' ? c + 32 : c);
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

// Whether no rule changes it: what most patterns are, and to find out by folding takes longer
// than all else that is done with them.
bool IsPlain(const Tokens& tokens) {
  const auto plain = [](const PatternToken& token) {
    if (token.kind == Kind::kStar) return true;
    const char32_t c = token.character;
    return token.kind == Kind::kCharacter &&
           ((c >= U'a' && c <= U'z') || (c >= U'0' && c <= U'9') || c == U'.' || c == U'_' ||
            c == U'-');
  };
  return std::all_of(tokens.begin(), tokens.end(), plain) && tokens.back().character != U'.';
}

std::vector<unsigned char> Bytes(const std::vector<const PatternToken*>& edges) {
  std::vector<unsigned char> bytes;
  for (const PatternToken* token : edges) {
    if (token == nullptr || token->kind != Kind::kCharacter) return {};
    // An ASCII name never begins or ends with another character.
    if (token->character < 0x80) {
      bytes.push_back(LowerAscii(token->character));
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
  Result<Tokens> tokens = ReadPattern(text);
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
  pattern.Fold();
  pattern.short_name_glob_ = ShortNameGlob(pattern.tokens_);
  return pattern;
}

void NamePattern::Fold() {
  stable_ = IsPlain(tokens_);
  if (!stable_) {
    for (const NameRules rules : kKeyRules) folded_.push_back(FoldPattern(tokens_, rules));
    stable_ = std::all_of(folded_.begin(), folded_.end(),
                          [this](const Tokens& folded) { return SameCharacters(tokens_, folded); });
  }
  std::vector<const PatternToken*> first{&tokens_.front()}, last{&tokens_.back()};
  for (const Tokens& folded : folded_) {
    first.push_back(folded.empty() ? nullptr : &folded.front());
    last.push_back(folded.empty() ? nullptr : &folded.back());
  }
  first_bytes_ = Bytes(first);
  last_bytes_ = Bytes(last);
  for (const unsigned char byte : first_bytes_) first_.set(byte);
  for (const unsigned char byte : last_bytes_) last_.set(byte);
}

const PatternTokens& NamePattern::FoldedUnder(std::size_t rule) const {
  return folded_.empty() ? tokens_ : folded_[rule];
}

bool NamePattern::Matches(std::string_view name) const {
  switch (shape_) {
    case Shape::kLiteral: return name == literal_;
    case Shape::kPrefix: return name.starts_with(literal_);
    case Shape::kSuffix: return name.ends_with(literal_);
    case Shape::kGeneral: break;
  }
  return MatchesName(tokens_, name);
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

NameRules NamePattern::MayAlias(KeyedName& name, NameLook look,
                                std::span<const std::string> except) const {
  // Then there is one key, the name in lower case, and the pattern is its own fold.
  if (look == NameLook::kAscii && stable_ && !Matches(name.key(0))) return NameRules::kExact;
  NameRules found = NameRules::kExact;
  for (std::size_t i = 0; i < kKeyRules.size(); ++i) {
    const std::string& key = name.key(i);
    const Tokens& folded = FoldedUnder(i);
    const bool fits = one_to_one_ ? MatchesName(folded, key) : MatchesKey(folded, key);
    if (!fits) continue;
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

}  // namespace cordon::policy
