#include "tools/match.h"

#include <algorithm>
#include <string>
#include <utility>

#include "tools/fold_text.h"
#include "tools/place_lines.h"
#include "tools/reindent.h"
#include "tools/sequence_search.h"

namespace cordon::tools {
namespace {

// Counts places, in order, and keeps those that do not overlap.
class Gathering {
 public:
  Gathering(MatchPass pass, std::size_t most) : most_(most) { found_.pass = pass; }

  template <typename Make>
  void Add(std::size_t begin, std::size_t end, const Make& make) {
    ++found_.count;
    if (found_.disjoint > 0 && begin < free_) return;
    free_ = end;
    if (++found_.disjoint <= most_) found_.places.push_back(make());
  }
  Found Take() { return std::move(found_); }

 private:
  Found found_;
  std::size_t most_;
  std::size_t free_ = 0;  // from where on the next may begin
};

Found FindExact(std::string_view text, std::string_view old_text, std::string_view new_text,
                std::size_t most) {
  Gathering gathering(MatchPass::kExact, most);
  if (old_text.size() > text.size()) return gathering.Take();
  SequenceSearch<char>(old_text).Each(text, [&](std::size_t at) {
    gathering.Add(at, at + old_text.size(), [&] {
      return Replaced{at, at + old_text.size(), std::string(new_text)};
    });
  });
  return gathering.Take();
}

// How many bytes both texts begin with, in whole characters.
std::size_t CommonStart(std::string_view a, std::string_view b) {
  std::size_t length = 0;
  while (length < a.size() && length < b.size() && a[length] == b[length]) ++length;
  while (length > 0 && length < a.size() && (a[length] & 0xC0) == 0x80) --length;
  while (length > 0 && length < b.size() && (b[length] & 0xC0) == 0x80) --length;
  return length;
}

std::size_t CommonEnd(std::string_view a, std::string_view b) {
  std::size_t length = 0;
  while (length < a.size() && length < b.size() &&
         a[a.size() - 1 - length] == b[b.size() - 1 - length]) {
    ++length;
  }
  while (length > 0 && (a[a.size() - length] & 0xC0) == 0x80) --length;
  return length;
}

Found FindFolded(std::string_view text, std::string_view old_text, std::string_view new_text,
                 std::size_t most) {
  Gathering gathering(MatchPass::kPunctuation, most);
  const std::string wanted = FoldPunctuation(old_text);
  const FoldedText folded(text);
  if (wanted.size() > folded.text().size()) return gathering.Take();
  const std::size_t start = CommonStart(old_text, new_text);
  const std::size_t end = CommonEnd(old_text.substr(start), new_text.substr(start));
  const std::size_t skipped = FoldPunctuation(old_text.substr(0, start)).size();
  const std::size_t left = FoldPunctuation(old_text.substr(old_text.size() - end)).size();
  const std::string_view middle = new_text.substr(start, new_text.size() - start - end);
  SequenceSearch<char>(wanted).Each(folded.text(), [&](std::size_t at) {
    gathering.Add(at, at + wanted.size(), [&] {
      return Replaced{folded.Original(at + skipped), folded.Original(at + wanted.size() - left),
                      std::string(middle)};
    });
  });
  return gathering.Take();
}

std::vector<std::string_view> ViewsOf(const Lines& lines) {
  std::vector<std::string_view> views;
  for (std::size_t line = 0; line < lines.size(); ++line) views.push_back(lines[line]);
  return views;
}

// A quoted piece and its new text as whole lines.
struct LinePair {
  LinePair(std::string_view old_text, std::string_view new_text)
      : old_lines(ViewsOf(Lines(old_text))), new_lines(ViewsOf(Lines(new_text))) {
    // What does not take its last line's end with it leaves that to the new text.
    if (!old_text.ends_with('\n') && (new_text.empty() || new_text.ends_with('\n'))) {
      new_lines.emplace_back();
    }
    const std::size_t shorter = std::min(old_lines.size(), new_lines.size());
    while (start < shorter && old_lines[start] == new_lines[start]) ++start;
    while (end < shorter - start &&
           old_lines[old_lines.size() - 1 - end] == new_lines[new_lines.size() - 1 - end]) {
      ++end;
    }
  }
  std::vector<std::string_view> old_lines, new_lines;
  std::size_t start = 0, end = 0;  // lines that both begin and end with
};

Replaced PlacePair(const Lines& lines, std::size_t first, const LinePair& pair, MatchPass pass) {
  Reindent reindent;
  if (pass != MatchPass::kTrailingWhitespace) {
    for (std::size_t line = 0; line < pair.old_lines.size(); ++line) {
      reindent.Learn(pair.old_lines[line], lines[first + line]);
    }
  }
  std::vector<std::string> next;
  for (std::size_t line = pair.start; line + pair.end < pair.new_lines.size(); ++line) {
    next.push_back(reindent.Apply(pair.new_lines[line]));
  }
  return PlaceLines(lines, first + pair.start, first + pair.old_lines.size() - pair.end, next);
}

Found FindWholeLines(const Lines& lines, const LinePair& pair, MatchPass pass, std::size_t most) {
  Gathering gathering(pass, most);
  std::size_t end = 0;  // of the place before
  for (const std::size_t first : FindLines(lines, pair.old_lines, pass)) {
    gathering.Add(first, first + pair.old_lines.size(), [&] {
      Replaced place = PlacePair(lines, first, pair, pass);
      // The line end that goes with the file's last lines may be gone with those before.
      place.begin = std::max(place.begin, end);
      end = place.end;
      return place;
    });
  }
  return gathering.Take();
}

}  // namespace

Found FindPlaces(std::string_view text, std::string_view old_text, std::string_view new_text,
                 std::size_t most_places) {
  Found found = FindExact(text, old_text, new_text, most_places);
  if (found.count > 0 || text.size() > kMaxLooseBytes) return found;
  const Lines lines(text);
  const LinePair pair(old_text, new_text);
  const bool few = lines.size() <= kMaxLooseLines;
  for (const MatchPass pass : {MatchPass::kTrailingWhitespace, MatchPass::kIndentation}) {
    if (few) found = FindWholeLines(lines, pair, pass, most_places);
    if (found.count > 0) return found;
  }
  found = FindFolded(text, old_text, new_text, most_places);
  if (found.count > 0 || !few) return found;
  return FindWholeLines(lines, pair, MatchPass::kPunctuation, most_places);
}

}  // namespace cordon::tools
