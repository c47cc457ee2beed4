// Brace expansion, on words that still have their quotes.
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdlib>

#include "shell/lexer.h"
#include "shell/quoting.h"

namespace cordon::shell {
namespace {

constexpr std::size_t kMaxWords = 1024;
constexpr std::size_t kMaxBytes = 256 * 1024;
constexpr int kMaxBraces = 16;

struct Group {
  std::size_t begin = 0;  // of the "{"
  std::size_t end = 0;    // after the "}"
  std::vector<std::string_view> parts;
};

// Passes over a quote, an escape or an expansion; `at` itself if none begins there.
std::size_t PassQuoted(std::string_view word, std::size_t at) {
  Lexer lexer(word);
  std::optional<std::size_t> end = at;
  if (word[at] == '\\') {
    end = at + 2;
  } else if (word[at] == '\'') {
    end = lexer.EndOfSingleQuotes(at + 1);
  } else if (word[at] == '"') {
    end = lexer.EndOfDoubleQuotes(at + 1);
  } else if ((word[at] == '<' || word[at] == '>') && at + 1 < word.size() && word[at + 1] == '(') {
    end = lexer.EndOfCommands(at + 2);
  } else {
    end = lexer.EndOfExpansion(at);
  }
  return end ? std::min(*end, word.size()) : word.size();
}

std::optional<std::int64_t> Number(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

// {1..3} and {a..c}, with a step or without; nothing if it is neither. `too_many` is set
// where there are more than can be told.
std::optional<std::vector<std::string>> Range(std::string_view inside, bool& too_many) {
  const std::size_t dots = inside.find("..");
  if (dots == std::string_view::npos) return std::nullopt;
  const std::string_view first = inside.substr(0, dots);
  std::string_view last = inside.substr(dots + 2);
  std::int64_t step = 1;
  if (const std::size_t more = last.find(".."); more != std::string_view::npos) {
    const std::optional<std::int64_t> told = Number(last.substr(more + 2));
    if (!told || *told <= -1'000'000 || *told >= 1'000'000) return std::nullopt;
    step = *told == 0 ? 1 : std::abs(*told);
    last = last.substr(0, more);
  }
  const auto letter = [](std::string_view text) {
    return text.size() == 1 &&
           ((text[0] >= 'a' && text[0] <= 'z') || (text[0] >= 'A' && text[0] <= 'Z'));
  };
  const bool letters = letter(first) && letter(last);
  const std::optional<std::int64_t> low = letters ? first[0] : Number(first);
  const std::optional<std::int64_t> high = letters ? last[0] : Number(last);
  if (!low || !high) return std::nullopt;
  constexpr std::int64_t kFar = 1'000'000'000;
  if (*low < -kFar || *low > kFar || *high < -kFar || *high > kFar ||
      std::abs(*high - *low) / step >= static_cast<std::int64_t>(kMaxWords)) {
    too_many = true;
    return std::nullopt;
  }
  // Leading zeros ask for padding.
  const auto padded = [](std::string_view text) {
    if (text.starts_with('-')) text.remove_prefix(1);
    return text.size() > 1 && text[0] == '0';
  };
  const std::size_t width =
      !letters && (padded(first) || padded(last)) ? std::max(first.size(), last.size()) : 0;
  std::vector<std::string> words;
  const std::int64_t direction = *high < *low ? -step : step;
  for (std::int64_t value = *low; direction > 0 ? value <= *high : value >= *high;
       value += direction) {
    std::string text = letters ? std::string(1, static_cast<char>(value)) : std::to_string(value);
    if (text.size() < width) text.insert(value < 0 ? 1 : 0, width - text.size(), '0');
    words.push_back(std::move(text));
  }
  return words;
}

// The first group with a comma or a range at or after `from`.
std::optional<Group> FindGroup(std::string_view word, std::size_t from) {
  for (std::size_t open = from; open < word.size();) {
    if (word[open] != '{') {
      const std::size_t passed = PassQuoted(word, open);
      open = passed == open ? open + 1 : passed;
      continue;
    }
    Group group{open, 0, {}};
    int depth = 0;
    std::size_t part = open + 1;
    for (std::size_t at = open + 1; at < word.size() && group.end == 0;) {
      const char byte = word[at];
      if (byte == '{') ++depth;
      if (byte == ',' && depth == 0) {
        group.parts.push_back(word.substr(part, at - part));
        part = at + 1;
      }
      if (byte == '}' && depth-- == 0) {
        group.parts.push_back(word.substr(part, at - part));
        group.end = at + 1;
      }
      const std::size_t passed = byte == '{' || byte == '}' ? at : PassQuoted(word, at);
      at = passed == at ? at + 1 : passed;
    }
    bool unused = false;
    if (group.end != 0 && (group.parts.size() > 1 || Range(group.parts[0], unused) || unused)) {
      return group;
    }
    ++open;
  }
  return std::nullopt;
}

bool Expand(std::string_view word, int depth, std::vector<std::string>& out, std::size_t& bytes) {
  if (depth > kMaxBraces) return false;
  const std::optional<Group> group = FindGroup(word, 0);
  if (!group) {
    bytes += word.size();
    out.emplace_back(word);
    return out.size() <= kMaxWords && bytes <= kMaxBytes;
  }
  std::vector<std::string> middles;
  if (group->parts.size() == 1) {
    bool too_many = false;
    std::optional<std::vector<std::string>> range = Range(group->parts[0], too_many);
    if (!range) return false;
    middles = std::move(*range);
  } else {
    for (const std::string_view part : group->parts) {
      if (!Expand(part, depth + 1, middles, bytes)) return false;
    }
  }
  std::vector<std::string> ends;
  if (!Expand(word.substr(group->end), depth + 1, ends, bytes)) return false;
  if (middles.size() * ends.size() > kMaxWords) return false;
  for (const std::string& middle : middles) {
    for (const std::string& end : ends) {
      std::string made(word.substr(0, group->begin));
      made += middle;
      made += end;
      bytes += made.size();
      out.push_back(std::move(made));
    }
  }
  return out.size() <= kMaxWords && bytes <= kMaxBytes;
}

}  // namespace

std::optional<std::vector<std::string>> ExpandBraces(std::string_view word) {
  std::vector<std::string> words;
  if (word.find('{') == std::string_view::npos) {
    words.emplace_back(word);
    return words;
  }
  std::size_t open = 0;
  for (std::size_t at = 0; at < word.size();) {
    open += word[at] == '{' ? 1 : 0;
    const std::size_t passed = PassQuoted(word, at);
    at = passed == at ? at + 1 : passed;
  }
  if (open == 0) {
    words.emplace_back(word);
    return words;
  }
  constexpr std::size_t kMaxWork = std::size_t{1} << 22;  // each is followed to its end
  std::size_t bytes = 0;
  if (open > kMaxWork / word.size() || !Expand(word, 0, words, bytes)) return std::nullopt;
  return words;
}

}  // namespace cordon::shell
