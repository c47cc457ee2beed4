#include <optional>
#include <utility>

#include "policy/pattern_text.h"
#include "policy/pattern_tokens.h"

namespace cordon::policy {
namespace {

using Kind = PatternToken::Kind;

// Reads what follows "[", up to and with "]".
Result<PatternToken> TakeClass(std::string_view pattern, std::string_view& rest) {
  PatternToken token = PatternToken::Wildcard(Kind::kClass);
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

}  // namespace

Error BadPattern(std::string_view pattern, std::string detail) {
  Error error;
  error.code = ErrorCode::kInvalidArguments;
  error.op = "compile pattern";
  error.component = pattern;
  error.detail = std::move(detail);
  return error;
}

Result<PatternTokens> ReadPattern(std::string_view pattern) {
  PatternTokens tokens;
  for (std::string_view rest = pattern; !rest.empty();) {
    const char32_t c = TakeCharacter(rest);
    if (c == U'*') {
      if (tokens.empty() || tokens.back().kind != Kind::kStar) {
        tokens.push_back(PatternToken::Wildcard(Kind::kStar));
      }
    } else if (c == U'?') {
      tokens.push_back(PatternToken::Wildcard(Kind::kAny));
    } else if (c == U'[') {
      Result<PatternToken> token = TakeClass(pattern, rest);
      if (!token) return std::move(token.error());
      tokens.push_back(std::move(*token));
    } else if (c == U'\\') {
      if (rest.empty()) return BadPattern(pattern, "\"\\\" at the end escapes nothing");
      tokens.push_back(PatternToken::Character(TakeCharacter(rest)));
    } else {
      tokens.push_back(PatternToken::Character(c));
    }
  }
  return tokens;
}

PatternToken PatternToken::Character(char32_t c) {
  PatternToken token;
  token.character = c;
  return token;
}

PatternToken PatternToken::Wildcard(Kind kind) {
  PatternToken token;
  token.kind = kind;
  return token;
}

std::u32string ToCharacters(std::string_view text) {
  std::u32string characters;
  characters.reserve(text.size());
  while (!text.empty()) characters.push_back(TakeCharacter(text));
  return characters;
}

void AppendCharacter(std::string& text, char32_t c) {
  const auto put = [&](char32_t byte) { text.push_back(static_cast<char>(byte)); };
  if (c >= kRawByte) {
    put(c - kRawByte);
  } else if (c < 0x80) {
    put(c);
  } else if (c < 0x800) {
    put(0xC0 | (c >> 6));
    put(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    put(0xE0 | (c >> 12));
    put(0x80 | ((c >> 6) & 0x3F));
    put(0x80 | (c & 0x3F));
  } else {
    put(0xF0 | (c >> 18));
    put(0x80 | ((c >> 12) & 0x3F));
    put(0x80 | ((c >> 6) & 0x3F));
    put(0x80 | (c & 0x3F));
  }
}

}  // namespace cordon::policy
