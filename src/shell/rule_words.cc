#include "shell/rule_words.h"

#include <algorithm>
#include <string>

#include "policy/pattern.h"

namespace cordon::shell {
namespace {

bool HasWildcard(std::string_view pattern) {
  return pattern.find_first_of("*?[\\") != std::string_view::npos;
}

bool IsLetter(char byte) {
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
         (byte >= '0' && byte <= '9');
}

bool IsShortOption(std::string_view text) {
  return text.size() >= 2 && text[0] == '-' && IsLetter(text[1]);
}

Match FindsInExact(std::string_view word, std::string_view text, Clusters clusters) {
  if (IsLike(word, text)) return Match::kYes;
  if (text.starts_with("--")) {
    const std::size_t equals = text.find('=');
    const std::string_view name = text.substr(0, equals);
    if (equals != std::string_view::npos && IsLike(word, name)) return Match::kYes;
    // Long options may be cut short.
    const bool shorter = name.size() > 2 && name.size() < word.size() && word.starts_with(name);
    return shorter && !HasWildcard(word) ? Match::kPerhaps : Match::kNo;
  }
  const bool may_hold = clusters == Clusters::kOfLetters && word.size() == 2 &&
                        IsShortOption(word) && IsShortOption(text);
  return may_hold && text.find(word[1], 1) != std::string_view::npos ? Match::kYes : Match::kNo;
}

// What an unknown text surely begins with.
std::string_view Beginning(std::string_view text) {
  return text.substr(0, std::min(text.find_first_of("$`<>{}()*?[~\\"), text.size()));
}

bool MayBegin(std::string_view word, std::string_view known) {
  const std::string_view plain = word.substr(0, word.find_first_of("*?[\\"));
  const std::size_t common = std::min(plain.size(), known.size());
  return plain.substr(0, common) == known.substr(0, common) ||
         (IsShortOption(word) && IsShortOption(known));
}

}  // namespace

bool IsLike(std::string_view pattern, std::string_view text) {
  const Result<policy::NamePattern> compiled = policy::NamePattern::Compile(pattern);
  return compiled && compiled->Matches(text);
}

Match FindsWord(std::string_view word, const Argument& argument, Clusters clusters) {
  switch (argument.exactness) {
    case Exactness::kExact: return FindsInExact(word, argument.text, clusters);
    case Exactness::kPattern:
      // The file that is called so would be taken for the option.
      if (HasWildcard(word)) return Match::kPerhaps;
      return IsLike(argument.text, word) ? Match::kPerhaps : Match::kNo;
    case Exactness::kUnknown: break;
  }
  return MayBegin(word, Beginning(argument.text)) ? Match::kPerhaps : Match::kNo;
}

}  // namespace cordon::shell
