#include "hook/glob.h"

#include <algorithm>
#include <string>
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
      i = glob.find(']', i + 2);
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

}  // namespace

bool HasWildcard(std::string_view text) {
  return text.find_first_of("*?[(") != std::string_view::npos;
}

bool MayMeet(std::string_view glob, std::string_view rule) {
  if (glob.size() > kLongest || rule.size() > kLongest) return true;
  if (glob.find('(') != std::string_view::npos) return true;  // bash's extended patterns
  const std::vector<Token> a = Tokens(glob);
  const std::vector<Token> b = Tokens(rule);
  const bool rule_has_dot = IsCharacter(b, 0) && b[0].character == '.';
  if (rule_has_dot && !IsCharacter(a, 0) && !glob.starts_with('[')) return false;
  return Meet(a, b);
}

bool MayName(std::string_view glob, const policy::DenyRule& rule) {
  const std::vector<std::string_view> parts = Split(glob);
  if (rule.pattern.find('/') == std::string::npos) {
    return std::any_of(parts.begin(), parts.end(), [&rule](std::string_view part) {
      return part != "**" && MayMeet(part, rule.pattern) && !IsExcepted(part, rule);
    });
  }
  const std::vector<std::string_view> anchored = Split(rule.pattern);
  for (std::size_t i = 0; i < anchored.size(); ++i) {
    if (i == parts.size()) return false;
    if (parts[i] == "**" || anchored[i] == "**") return true;
    if (!MayMeet(parts[i], anchored[i])) return false;
  }
  return true;
}

std::string_view FixedPart(std::string_view glob) {
  const std::size_t wild = glob.find_first_of("*?[(");
  if (wild == std::string_view::npos) return glob;
  const std::size_t slash = glob.rfind('/', wild);
  if (slash == std::string_view::npos) return {};
  return slash == 0 ? glob.substr(0, 1) : glob.substr(0, slash);
}

}  // namespace cordon::hook
