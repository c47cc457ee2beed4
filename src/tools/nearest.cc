#include "tools/nearest.h"

#include <algorithm>
#include <bitset>
#include <map>
#include <utility>
#include <vector>

#include "base/unicode.h"
#include "tools/diff.h"
#include "tools/line_search.h"

namespace cordon::tools {
namespace {

// Longest part of a line that is compared piece by piece.
constexpr std::size_t kMaxCompared = 4096;
// A line of the quotation that stands there again and again votes for so many of them.
constexpr std::size_t kMaxVotes = 4;
// Of the pieces of both lines, how many must be shared for them to be alike.
constexpr double kLeastAlike = 0.35;
constexpr std::size_t kMaxShownLines = 60;
// What is searched of a larger text is its beginning.
constexpr std::size_t kMaxSearched = 16u << 20;

// Votes of lines that are alike for where the quotation would begin.
std::optional<std::size_t> BestStart(const Lines& lines, const Lines& wanted) {
  std::map<std::string, std::vector<std::size_t>, std::less<>> places;
  for (std::size_t line = 0; line < wanted.size(); ++line) {
    const std::string_view key = Trim(wanted[line]);
    if (key.size() < 3) continue;  // a brace is in every text
    auto& at = places[std::string(key)];
    if (at.size() < kMaxVotes) at.push_back(line);
  }
  // From before the first line on: the quotation may begin with lines that are not there.
  std::vector<std::uint32_t> votes(lines.size() + wanted.size());
  for (std::size_t line = 0; line < lines.size(); ++line) {
    const auto voters = places.find(Trim(lines[line]));
    if (voters == places.end()) continue;
    for (const std::size_t at : voters->second) {
      votes[line + wanted.size() - at] += static_cast<std::uint32_t>(Trim(lines[line]).size());
    }
  }
  const auto best = std::ranges::max_element(votes);
  if (best == votes.end() || *best == 0) return std::nullopt;
  const auto start = static_cast<std::size_t>(best - votes.begin());
  return start > wanted.size() ? start - wanted.size() : 0;
}

// What is compared of a line: no blanks, no upper case.
std::string Essence(std::string_view line) {
  std::string kept;
  for (const char c : line.substr(0, kMaxCompared)) {
    if (std::string_view(" \t\r\n").find(c) != std::string_view::npos) continue;
    kept += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return kept;
}

// Which threes of bytes a line has, roughly.
class Pieces {
 public:
  explicit Pieces(std::string_view line) : set_(SetOf(line)), count_(set_.count()) {}
  // Twice what is shared for what both have.
  double Likeness(std::string_view line) const {
    const Set other = SetOf(line);
    const std::size_t all = count_ + other.count();
    if (all == 0) return 0;
    return 2.0 * static_cast<double>((set_ & other).count()) / static_cast<double>(all);
  }

 private:
  static constexpr std::size_t kSlots = 1U << 12U;
  using Set = std::bitset<kSlots>;
  static Set SetOf(std::string_view line) {
    Set set;
    const std::string essence = Essence(line);
    for (std::size_t at = 0; at + 3 <= essence.size(); ++at) {
      std::size_t slot = 0;
      for (const char c : std::string_view(essence).substr(at, 3)) {
        slot = slot * 131 + static_cast<unsigned char>(c);
      }
      set.set(slot % kSlots);
    }
    return set;
  }
  Set set_;
  std::size_t count_ = 0;
};

std::optional<std::size_t> MostAlike(const Lines& lines, const Lines& wanted) {
  std::size_t longest = 0;
  for (std::size_t line = 1; line < wanted.size(); ++line) {
    if (Trim(wanted[line]).size() > Trim(wanted[longest]).size()) longest = line;
  }
  const Pieces pieces(Trim(wanted[longest]));
  double best = kLeastAlike;
  std::optional<std::size_t> start;
  for (std::size_t line = 0; line < lines.size(); ++line) {
    const double likeness = pieces.Likeness(Trim(lines[line]));
    if (likeness <= best) continue;
    best = likeness;
    start = line > longest ? line - longest : 0;
  }
  return start;
}

std::string Squeezed(std::string_view text) {
  std::string kept;
  for (const char c : text) {
    if (std::string_view(" \t\r\n").find(c) == std::string_view::npos) kept += c;
  }
  return kept;
}

std::string DescribeDifference(std::string_view wanted, std::string_view there) {
  if (Squeezed(wanted) == Squeezed(there)) return "it differs only in white space";
  if (unicode::FoldCase(Squeezed(wanted)) == unicode::FoldCase(Squeezed(there))) {
    return "it differs only in upper and lower case";
  }
  const Lines quoted(wanted), found(there);
  std::size_t same = 0, differ = 0;
  for (std::size_t line = 0; line < quoted.size(); ++line) {
    const bool alike = line < found.size() && Trim(quoted[line]) == Trim(found[line]);
    ++(alike ? same : differ);
  }
  return std::to_string(differ) + " of the " + std::to_string(same + differ) +
         " quoted lines differ";
}

}  // namespace

std::optional<Nearest> FindNearest(std::string_view text, std::string_view wanted) {
  if (text.size() > kMaxSearched) text = text.substr(0, text.rfind('\n', kMaxSearched - 1) + 1);
  const Lines lines(text), quoted(wanted);
  if (lines.size() == 0 || quoted.size() == 0) return std::nullopt;
  std::optional<std::size_t> start = BestStart(lines, quoted);
  if (!start) start = MostAlike(lines, quoted);
  if (!start) return std::nullopt;
  const std::size_t shown = std::min(quoted.size(), kMaxShownLines);
  const std::size_t first = std::min(*start, lines.size() - 1);
  const std::size_t last = std::min(first + shown, lines.size());
  std::string_view there = text.substr(lines.Start(first), lines.Start(last) - lines.Start(first));
  Nearest nearest;
  nearest.first_line = first + 1;
  nearest.last_line = last;
  const std::string_view compared =
      wanted.substr(0, quoted.Start(shown)).substr(0, kMaxNearestBytes);
  nearest.difference = DescribeDifference(compared, there.substr(0, kMaxNearestBytes));
  if (there.size() > kMaxNearestBytes) {
    std::size_t cut = kMaxNearestBytes;
    while (cut > 0 && (there[cut] & 0xC0) == 0x80) --cut;
    there = there.substr(0, cut);
  }
  nearest.text = there;
  DiffLimits limits;
  limits.max_output = 2 * kMaxNearestBytes;
  nearest.diff = UnifiedDiff(compared, there, "quoted", "in the file", 3, limits);
  return nearest;
}

}  // namespace cordon::tools
