// Runs of whole lines that are alike, ever more loosely.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cordon::tools {

// How a place was found, from strict to loose.
enum class MatchPass { kExact, kTrailingWhitespace, kIndentation, kPunctuation };
inline constexpr MatchPass kMatchPasses[] = {MatchPass::kExact, MatchPass::kTrailingWhitespace,
                                             MatchPass::kIndentation, MatchPass::kPunctuation};
// "exact", "trailing_whitespace", "indentation", "punctuation".
std::string_view MatchPassName(MatchPass pass);

// Lines of a text without their ends; an end after the last line does not begin another.
class Lines {
 public:
  // `text` must outlive it and be shorter than 2^32 bytes.
  explicit Lines(std::string_view text);

  std::size_t size() const { return starts_.size() - 1; }
  std::string_view operator[](std::size_t line) const;
  // Where a line begins; of size(), where the text ends.
  std::size_t Start(std::size_t line) const { return starts_[line]; }
  // Whether the last line has an end.
  bool ends() const { return text_.ends_with('\n'); }
  std::string_view text() const { return text_; }

 private:
  std::string_view text_;
  std::vector<std::uint32_t> starts_;
};

// Space and tab; a lone carriage return, too.
std::string_view TrimRight(std::string_view line);
std::string_view Trim(std::string_view line);
std::string_view IndentOf(std::string_view line);

// What two lines must have in common to be alike in a pass.
std::string LineKey(std::string_view line, MatchPass pass);

// The lines from `from` on at which a run like `wanted` begins, in order, overlapping
// ones included. Linear in the text and `wanted`. None if `wanted` is empty, or nothing
// but blank lines in a pass that is not exact: those would be found anywhere.
std::vector<std::size_t> FindLines(const Lines& lines, std::span<const std::string_view> wanted,
                                   MatchPass pass, std::size_t from = 0);

}  // namespace cordon::tools
