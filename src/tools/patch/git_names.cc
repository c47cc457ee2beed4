#include "tools/patch/git_names.h"

namespace cordon::tools {
namespace {

bool IsOctal(char c) { return c >= '0' && c <= '7'; }

// Reads one escape after its backslash.
std::optional<char> Unescape(std::string_view& text) {
  if (text.empty()) return std::nullopt;
  if (text.size() >= 3 && text[0] <= '3' && IsOctal(text[0]) && IsOctal(text[1]) &&
      IsOctal(text[2])) {
    const int value = (text[0] - '0') * 64 + (text[1] - '0') * 8 + (text[2] - '0');
    text.remove_prefix(3);
    return static_cast<char>(value);
  }
  constexpr std::string_view kLetters = "abfnrtv\"\\", kMeant = "\a\b\f\n\r\t\v\"\\";
  const std::size_t which = kLetters.find(text[0]);
  if (which == std::string_view::npos) return std::nullopt;
  text.remove_prefix(1);
  return kMeant[which];
}

// A quoted name at the beginning, which is taken off.
std::optional<std::string> TakeQuoted(std::string_view& text) {
  std::string name;
  text.remove_prefix(1);
  while (!text.empty()) {
    const char c = text[0];
    text.remove_prefix(1);
    if (c == '"') return name;
    if (c != '\\') {
      name += c;
      continue;
    }
    const auto meant = Unescape(text);
    if (!meant) break;
    name += *meant;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> ParseDiffName(std::string_view text) {
  if (text.starts_with('"')) return TakeQuoted(text);
  return std::string(text.substr(0, text.find('\t')));
}

std::optional<std::pair<std::string, std::string>> ParseGitNames(std::string_view text) {
  if (text.starts_with('"')) {
    auto old_name = TakeQuoted(text);
    if (!old_name || !text.starts_with(' ')) return std::nullopt;
    text.remove_prefix(1);
    auto new_name = ParseDiffName(text);
    if (!new_name) return std::nullopt;
    return std::pair(std::move(*old_name), std::move(*new_name));
  }
  if (const std::size_t quote = text.find(" \""); quote != std::string_view::npos) {
    auto new_name = ParseDiffName(text.substr(quote + 1));
    if (!new_name) return std::nullopt;
    return std::pair(std::string(text.substr(0, quote)), std::move(*new_name));
  }
  // Names may have spaces; but without a rename, which has lines of its own, both are equal.
  const std::size_t half = text.size() / 2;
  if (text.size() % 2 == 0 || text[half] != ' ') return std::nullopt;
  const std::string_view old_name = text.substr(0, half), new_name = text.substr(half + 1);
  const bool prefixed = old_name.starts_with("a/") && new_name.starts_with("b/");
  if (old_name != new_name && !(prefixed && old_name.substr(2) == new_name.substr(2))) {
    return std::nullopt;
  }
  return std::pair(std::string(old_name), std::string(new_name));
}

void DropPrefixes(std::string& old_name, std::string& new_name) {
  const bool no_old = old_name == kNoFile, no_new = new_name == kNoFile;
  const bool old_has = old_name.starts_with("a/"), new_has = new_name.starts_with("b/");
  if (!(old_has || no_old) || !(new_has || no_new)) return;
  if (!no_old) old_name.erase(0, 2);
  if (!no_new) new_name.erase(0, 2);
}

}  // namespace cordon::tools
