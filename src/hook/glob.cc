#include "hook/glob.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "path/posix.h"

namespace cordon::hook {
namespace {

// Longer names cannot be on a disk; longer globs are taken to meet everything.
constexpr std::size_t kLongest = 1024;

struct Token {
  enum class Kind { kCharacter, kOne, kMany } kind;  // kOne: any byte; kMany: any number of them
  char character = 0;
};

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// One character, which may have several bytes.
void AppendSome(std::vector<Token>& tokens) {
  tokens.push_back({Token::Kind::kOne});
  tokens.push_back({Token::Kind::kMany});
}

std::vector<Token> Tokens(std::string_view glob) {
  std::vector<Token> tokens;
  for (std::size_t i = 0; i < glob.size(); ++i) {
    const char c = glob[i];
    if (c == '*') {
      tokens.push_back({Token::Kind::kMany});
    } else if (c == '?') {
      AppendSome(tokens);
    } else if (c == '[' && glob.find(']', i + 2) != std::string_view::npos) {
      const std::size_t end = glob.find(']', i + 2);
      const std::string_view inside = glob.substr(i + 1, end - i - 1);
      // "[[:x:]]", "[!]x]": where those end is not looked for.
      const bool odd =
          inside.find_first_of("[]") != std::string_view::npos || inside == "!" || inside == "^";
      i = odd ? glob.rfind(']') : end;
      AppendSome(tokens);
    } else if (c == '\\' && i + 1 < glob.size()) {
      tokens.push_back({Token::Kind::kCharacter, Lower(glob[++i])});
    } else {
      tokens.push_back({Token::Kind::kCharacter, Lower(c)});
    }
  }
  return tokens;
}

bool IsCharacter(const std::vector<Token>& tokens, std::size_t i) {
  return i < tokens.size() && tokens[i].kind == Token::Kind::kCharacter;
}

// reachable[i][j]: some text is matched by the first i tokens of one and j of the other.
bool Meet(const std::vector<Token>& a, const std::vector<Token>& b) {
  const std::size_t width = b.size() + 1;
  std::vector<char> reachable((a.size() + 1) * width, 0);
  reachable[0] = 1;
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (!reachable[i * width + j]) continue;
      const bool more_a = i < a.size();
      const bool more_b = j < b.size();
      const bool many_a = more_a && a[i].kind == Token::Kind::kMany;
      const bool many_b = more_b && b[j].kind == Token::Kind::kMany;
      // Any number of bytes may end here, or take in the other's next.
      if (many_a || (many_b && more_a)) reachable[(i + 1) * width + j] = 1;
      if (many_b || (many_a && more_b)) reachable[i * width + j + 1] = 1;
      if (many_a || many_b || !more_a || !more_b) continue;
      const bool any = !IsCharacter(a, i) || !IsCharacter(b, j);
      if (any || a[i].character == b[j].character) reachable[(i + 1) * width + j + 1] = 1;
    }
  }
  return reachable.back() != 0;
}

std::vector<std::string_view> Split(std::string_view text) {
  std::vector<std::string_view> parts;
  path::Components components(text);
  for (std::string_view part = components.Next(); !part.empty(); part = components.Next()) {
    parts.push_back(part);
  }
  return parts;
}

bool IsExcepted(std::string_view name, const policy::DenyRule& rule) {
  return std::find(rule.except.begin(), rule.except.end(), name) != rule.except.end();
}

// Whether some path that `glob` matches is, or lies below, one that `rule` matches. Both are
// gone through together: reached[i][j] says that the first i and j parts fit.
bool PathsMeet(const std::vector<std::string_view>& glob, const std::vector<std::string_view>& rule,
               Dots dots) {
  const std::size_t width = rule.size() + 1;
  // A rule that holds at any depth is met by a name, not by "**" alone: that meets all of them.
  const bool anywhere = !rule.empty() && rule.front() == "**";
  std::vector<char> reached((glob.size() + 1) * width, 0);
  reached[0] = 1;
  for (std::size_t i = 0; i <= glob.size(); ++i) {
    for (std::size_t j = 0; j <= rule.size(); ++j) {
      if (!reached[i * width + j]) continue;
      if (j == rule.size()) return true;
      if (i == glob.size()) continue;
      const bool last = j + 1 == rule.size();
      if (rule[j] == "**") {
        if (last) return true;  // something is left, which lies below
        reached[i * width + j + 1] = 1;
        if (glob[i] != "**") reached[(i + 1) * width + j] = 1;
      }
      if (glob[i] == "**") {
        reached[(i + 1) * width + j] = 1;
        const bool hidden = dots == Dots::kWrittenOut && rule[j].starts_with('.');
        if (anywhere ? !last : !hidden) reached[i * width + j + 1] = 1;
      } else if (rule[j] != "**" && MayMeet(glob[i], rule[j], dots)) {
        reached[(i + 1) * width + j + 1] = 1;
      }
    }
  }
  return false;
}

}  // namespace

bool HasWildcard(std::string_view text) {
  return text.find_first_of("*?[(") != std::string_view::npos;
}

bool MayMeet(std::string_view glob, std::string_view rule, Dots dots) {
  if (glob.size() > kLongest || rule.size() > kLongest) return true;
  if (glob.find('(') != std::string_view::npos) return true;  // bash's extended patterns
  const std::vector<Token> a = Tokens(glob);
  const std::vector<Token> b = Tokens(rule);
  const bool rule_has_dot = IsCharacter(b, 0) && b[0].character == '.';
  const bool wild = !IsCharacter(a, 0) && !glob.starts_with('[');
  if (dots == Dots::kWrittenOut && rule_has_dot && wild) return false;
  return Meet(a, b);
}

bool MayName(std::string_view glob, const policy::DenyRule& rule, Dots dots) {
  const std::vector<std::string_view> parts = Split(glob);
  if (rule.pattern.find('/') == std::string::npos) {
    // At the end, "**" is every name below.
    if (dots == Dots::kMatched && !parts.empty() && parts.back() == "**") return true;
    const bool rule_is_wild = HasWildcard(rule.pattern);
    return std::any_of(parts.begin(), parts.end(), [&](std::string_view part) {
      // "*.c" and ".env.*" would meet in ".env.c", which nobody means.
      if (dots == Dots::kMatched && rule_is_wild && part.starts_with("*.")) {
        return MayMeet(part, rule.pattern) && !IsExcepted(part, rule);
      }
      return part != "**" && MayMeet(part, rule.pattern, dots) && !IsExcepted(part, rule);
    });
  }
  return PathsMeet(parts, Split(rule.pattern), dots);
}

namespace {

constexpr std::size_t kMostAlternatives = 256;

// The end of the brace group at `at`, and the places of its commas.
std::size_t EndOfBraces(std::string_view glob, std::size_t at, std::vector<std::size_t>& commas) {
  int depth = 0;
  for (std::size_t i = at; i < glob.size(); ++i) {
    if (glob[i] == '\\') {
      ++i;
    } else if (glob[i] == '{') {
      ++depth;
    } else if (glob[i] == '}' && --depth == 0) {
      return i;
    } else if (glob[i] == ',' && depth == 1) {
      commas.push_back(i);
    }
  }
  return std::string_view::npos;
}

std::size_t FirstBrace(std::string_view glob, std::size_t from) {
  for (std::size_t i = from; i < glob.size(); ++i) {
    if (glob[i] == '\\') {
      ++i;
    } else if (glob[i] == '{') {
      return i;
    }
  }
  return std::string_view::npos;
}

std::string WithoutBackslashes(std::string_view glob) {
  std::string plain;
  for (std::size_t i = 0; i < glob.size(); ++i) {
    const bool escapes = glob[i] == '\\' && i + 1 < glob.size();
    if (escapes && std::string_view("*?[]\\(").find(glob[i + 1]) == std::string_view::npos) ++i;
    plain += glob[i];
  }
  return plain;
}

}  // namespace

std::optional<std::vector<std::string>> Alternatives(std::string_view glob) {
  if (glob.size() > 4 * kLongest) return std::nullopt;
  std::vector<std::pair<std::string, std::size_t>> open{{std::string(glob), 0}};
  std::vector<std::string> done;
  while (!open.empty()) {
    auto [text, from] = std::move(open.back());
    open.pop_back();
    if (done.size() + open.size() > kMostAlternatives) return std::nullopt;
    const std::size_t brace = FirstBrace(text, from);
    std::vector<std::size_t> commas;
    const std::size_t end = brace == std::string::npos ? brace : EndOfBraces(text, brace, commas);
    if (end == std::string::npos) {
      done.push_back(WithoutBackslashes(text));
      continue;
    }
    const std::string before = text.substr(0, brace);
    const std::string after = text.substr(end + 1);
    const std::string inside = text.substr(brace + 1, end - brace - 1);
    const auto with = [&before, &after](std::string_view middle) {
      std::string joined = before;
      joined += middle;
      joined += after;
      return joined;
    };
    if (commas.empty()) {
      // Some take braces around one thing away, some leave them; {1..3} is a range to some.
      open.emplace_back(text, brace + 1);
      open.emplace_back(with(inside), brace);
      if (inside.find("..") != std::string::npos) open.emplace_back(with("*"), brace);
      continue;
    }
    commas.push_back(end);
    std::size_t begin = brace + 1;
    for (const std::size_t comma : commas) {
      open.emplace_back(with(text.substr(begin, comma - begin)), brace);
      begin = comma + 1;
    }
  }
  return done;
}

std::string_view FixedPart(std::string_view glob) {
  const std::size_t wild = glob.find_first_of("*?[(");
  if (wild == std::string_view::npos) return glob;
  const std::size_t slash = glob.rfind('/', wild);
  if (slash == std::string_view::npos) return {};
  return slash == 0 ? glob.substr(0, 1) : glob.substr(0, slash);
}

}  // namespace cordon::hook
