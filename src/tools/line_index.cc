#include "tools/line_index.h"

#include <algorithm>
#include <numeric>

#include "tools/fold_text.h"
#include "tools/sequence_search.h"

namespace cordon::tools {
namespace {

std::string_view KeyIn(std::string_view line, MatchPass pass) {
  if (pass == MatchPass::kExact) return line;
  return pass == MatchPass::kTrailingWhitespace ? TrimRight(line) : Trim(line);
}

}  // namespace

LineIndex::LineIndex(const Lines& lines, MatchPass pass) : pass_(pass) {
  const bool folds = pass == MatchPass::kPunctuation;
  if (folds) folded_ = FoldPunctuation(lines.text());  // which has the same lines
  const Lines folded(folded_);
  const Lines& from = folds ? folded : lines;
  std::vector<std::string_view> keys;
  keys.reserve(from.size());
  for (std::size_t line = 0; line < from.size(); ++line) keys.push_back(KeyIn(from[line], pass));
  // Sorted, as no choice of lines makes that slow.
  std::vector<std::uint32_t> order(keys.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order, {}, [&](std::uint32_t line) { return keys[line]; });
  numbers_.resize(keys.size());
  for (const std::uint32_t line : order) {
    if (keys_.empty() || keys_.back() != keys[line]) keys_.push_back(keys[line]);
    numbers_[line] = static_cast<std::uint32_t>(keys_.size() - 1);
  }
}

std::vector<std::size_t> LineIndex::Find(std::span<const std::string_view> wanted,
                                         std::size_t from) const {
  std::vector<std::size_t> found;
  if (wanted.empty() || from >= numbers_.size() || wanted.size() > numbers_.size() - from) {
    return found;
  }
  std::vector<std::uint32_t> sought;
  bool blank = true;
  for (const std::string_view line : wanted) {
    const std::string key = LineKey(line, pass_);
    const auto at = std::ranges::lower_bound(keys_, std::string_view(key));
    if (at == keys_.end() || *at != key) return found;
    sought.push_back(static_cast<std::uint32_t>(at - keys_.begin()));
    blank &= key.empty();
  }
  if (blank && pass_ != MatchPass::kExact) return found;
  SequenceSearch<std::uint32_t>(sought).Each(std::span(numbers_).subspan(from),
                                             [&](std::size_t at) { found.push_back(from + at); });
  return found;
}

}  // namespace cordon::tools
