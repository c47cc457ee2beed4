#include "tools/line_search.h"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "tools/fold_text.h"
#include "tools/sequence_search.h"

namespace cordon::tools {
namespace {

constexpr std::string_view kBlanks = " \t\r";

// The key, in `room` where it is no part of the line.
std::string_view KeyOf(std::string_view line, MatchPass pass, std::string& room) {
  switch (pass) {
    case MatchPass::kExact: return line;
    case MatchPass::kTrailingWhitespace: return TrimRight(line);
    case MatchPass::kIndentation: return Trim(line);
    case MatchPass::kPunctuation: break;
  }
  room = FoldPunctuation(line);
  return Trim(room);
}

}  // namespace

std::string_view MatchPassName(MatchPass pass) {
  switch (pass) {
    case MatchPass::kExact: return "exact";
    case MatchPass::kTrailingWhitespace: return "trailing_whitespace";
    case MatchPass::kIndentation: return "indentation";
    case MatchPass::kPunctuation: break;
  }
  return "punctuation";
}

Lines::Lines(std::string_view text) : text_(text) {
  for (std::size_t at = 0; at < text.size();) {
    starts_.push_back(static_cast<std::uint32_t>(at));
    const std::size_t end = text.find('\n', at);
    at = end == std::string_view::npos ? text.size() : end + 1;
  }
  starts_.push_back(static_cast<std::uint32_t>(text.size()));
}

std::string_view Lines::operator[](std::size_t line) const {
  std::string_view whole = text_.substr(starts_[line], starts_[line + 1] - starts_[line]);
  if (whole.ends_with('\n')) whole.remove_suffix(1);
  return whole;
}

std::string_view TrimRight(std::string_view line) {
  return line.substr(0, line.find_last_not_of(kBlanks) + 1);
}

std::string_view IndentOf(std::string_view line) {
  return line.substr(0, std::min(line.find_first_not_of(kBlanks), line.size()));
}

std::string_view Trim(std::string_view line) {
  return TrimRight(line.substr(IndentOf(line).size()));
}

std::string LineKey(std::string_view line, MatchPass pass) {
  std::string room;
  return std::string(KeyOf(line, pass, room));
}

std::vector<std::size_t> FindLines(const Lines& lines, std::span<const std::string_view> wanted,
                                   MatchPass pass, std::size_t from) {
  std::vector<std::size_t> found;
  if (wanted.empty() || from >= lines.size() || wanted.size() > lines.size() - from) return found;
  // Lines become numbers, so that comparing them costs the same however long they are. A
  // map that is sorted, as no choice of lines makes it slow.
  std::map<std::string, std::uint32_t, std::less<>> numbers;
  std::vector<std::uint32_t> sought, there;
  bool blank = true;
  for (const std::string_view line : wanted) {
    std::string key = LineKey(line, pass);
    blank &= key.empty();
    const auto next = static_cast<std::uint32_t>(numbers.size() + 1);
    sought.push_back(numbers.try_emplace(std::move(key), next).first->second);
  }
  if (blank && pass != MatchPass::kExact) return found;
  there.reserve(lines.size() - from);
  std::string room;
  for (std::size_t line = from; line < lines.size(); ++line) {
    const auto known = numbers.find(KeyOf(lines[line], pass, room));
    there.push_back(known == numbers.end() ? 0 : known->second);
  }
  SequenceSearch<std::uint32_t>(sought).Each(there,
                                             [&](std::size_t at) { found.push_back(from + at); });
  return found;
}

}  // namespace cordon::tools
