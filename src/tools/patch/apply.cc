#include "tools/patch/apply.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <memory>
#include <utility>

#include "tools/edit_failure.h"
#include "tools/flat_text.h"
#include "tools/line_index.h"
#include "tools/place_lines.h"
#include "tools/reindent.h"

namespace cordon::tools {
namespace {

using Kind = HunkLine::Kind;

std::vector<std::string_view> OldLines(const Hunk& hunk) {
  std::vector<std::string_view> lines;
  for (const HunkLine& line : hunk.lines) {
    if (line.kind != Kind::kAdded) lines.push_back(line.text);
  }
  return lines;
}

std::string Join(std::span<const std::string_view> lines) {
  std::string text;
  for (const std::string_view line : lines) text.append(line).append("\n");
  return text;
}

struct Spot {
  std::size_t line = 0;  // from 0
  MatchPass pass = MatchPass::kExact;
};

// Lines from `first` up to `last` and what takes their place.
struct Run {
  std::size_t first = 0, last = 0;
  std::vector<std::string> next;
};

class Applying {
 public:
  explicit Applying(const Lines& lines) : lines_(lines) {}

  Attempt<void> Add(const Hunk& hunk) {
    const std::vector<std::string_view> old_lines = OldLines(hunk);
    Attempt<Spot> spot = Locate(hunk, old_lines);
    if (!spot) return std::move(spot.error());
    HunkDone done{spot->line + 1, 0, spot->pass};
    if (hunk.old_start) {
      // An empty range is named by the line before it.
      const std::size_t said =
          *hunk.old_start - (old_lines.empty() || *hunk.old_start == 0 ? 0 : 1);
      done.offset = static_cast<std::ptrdiff_t>(spot->line) - static_cast<std::ptrdiff_t>(said);
      offset_ = done.offset;
    }
    done_.push_back(done);
    Change(hunk, old_lines, *spot);
    cursor_ = spot->line + old_lines.size();
    return {};
  }

  std::vector<Replaced> Changes() const {
    std::vector<Replaced> changes;
    for (const Run& run : runs_) {
      changes.push_back(PlaceLines(lines_, run.first, run.last, run.next));
    }
    return changes;
  }
  std::vector<HunkDone> TakeDone() { return std::move(done_); }

 private:
  bool IsAt(std::size_t line, std::span<const std::string_view> wanted, MatchPass pass) const {
    if (line < cursor_ || line > lines_.size() || wanted.size() > lines_.size() - line)
      return false;
    for (std::size_t number = 0; number < wanted.size(); ++number) {
      if (LineKey(lines_[line + number], pass) != LineKey(wanted[number], pass)) return false;
    }
    return true;
  }

  // Where the hunk says it is, moved as the one before was.
  std::optional<std::size_t> SaidLine(const Hunk& hunk, std::size_t old_count) const {
    if (!hunk.old_start) return std::nullopt;
    auto line = static_cast<std::ptrdiff_t>(std::min(*hunk.old_start, 2 * lines_.size() + 1));
    if (old_count > 0 && line > 0) --line;
    line += offset_;
    if (line < static_cast<std::ptrdiff_t>(cursor_)) return std::nullopt;
    return static_cast<std::size_t>(line);
  }

  std::vector<std::size_t> Search(std::span<const std::string_view> wanted, MatchPass pass,
                                  std::size_t from) {
    work_ += lines_.size() - std::min(from, lines_.size());
    std::unique_ptr<const LineIndex>& index = indices_[static_cast<std::size_t>(pass)];
    if (!index) index = std::make_unique<const LineIndex>(lines_, pass);
    return index->Find(wanted, from);
  }

  static Failure None(const Hunk& hunk, std::string_view text, std::string_view wanted) {
    return NoMatchFailure(text, wanted,
                          "what the patch has from its line " + std::to_string(hunk.patch_line));
  }

  // From where on to search, after the hunk's anchors.
  struct Anchored {
    std::size_t from = 0;
    bool certain = true;  // false: the outermost could be another line, too
  };
  Attempt<Anchored> FindAnchors(const Hunk& hunk) {
    Anchored anchored{cursor_, true};
    bool outermost = true;
    for (const std::string_view& anchor : hunk.anchors) {
      std::vector<std::size_t> found;
      for (const MatchPass pass : kMatchPasses) {
        if (found = Search({&anchor, 1}, pass, anchored.from); !found.empty()) break;
      }
      if (found.empty()) return None(hunk, lines_.text(), anchor);
      if (std::exchange(outermost, false)) anchored.certain = found.size() == 1;
      anchored.from = found.front() + 1;
    }
    return anchored;
  }

  Attempt<Spot> LocateInsertion(const Hunk& hunk, std::size_t from) const {
    if (!hunk.old_start) return Spot{hunk.anchors.empty() ? lines_.size() : from, {}};
    const auto said = SaidLine(hunk, 0);
    if (said && *said <= lines_.size()) return Spot{*said, {}};
    return EditFailure(
        ErrorCode::kNoMatch,
        "the file has no line " + std::to_string(*hunk.old_start) + " to add lines after");
  }

  Attempt<Spot> Locate(const Hunk& hunk, const std::vector<std::string_view>& wanted) {
    Attempt<Anchored> anchored = FindAnchors(hunk);
    if (!anchored) return std::move(anchored.error());
    if (wanted.empty()) return LocateInsertion(hunk, anchored->from);
    const bool at_end = hunk.at_end || hunk.old_end_missing || hunk.new_end_missing;
    const auto said = SaidLine(hunk, wanted.size());
    for (const MatchPass pass : kMatchPasses) {
      if (at_end) {
        if (wanted.size() > lines_.size()) break;
        const std::size_t last = lines_.size() - wanted.size();
        if (last >= anchored->from && IsAt(last, wanted, pass)) return Spot{last, pass};
        continue;
      }
      if (said && IsAt(*said, wanted, pass)) return Spot{*said, pass};
      const std::vector<std::size_t> found = Search(wanted, pass, anchored->from);
      if (found.empty()) continue;
      const bool first_counts = !hunk.anchors.empty() && anchored->certain;
      if (found.size() == 1 || first_counts) return Spot{found.front(), pass};
      std::vector<std::size_t> numbers;
      for (const std::size_t line : found) {
        if (numbers.size() < 50) numbers.push_back(line + 1);
      }
      return CountFailure(found.size(), numbers, 1);
    }
    return None(hunk, lines_.text(), Join(wanted));
  }

  void Change(const Hunk& hunk, std::span<const std::string_view> old_lines, const Spot& spot) {
    Reindent reindent;
    if (spot.pass == MatchPass::kIndentation || spot.pass == MatchPass::kPunctuation) {
      for (std::size_t number = 0; number < old_lines.size(); ++number) {
        reindent.Learn(old_lines[number], lines_[spot.line + number]);
      }
    }
    std::size_t at = spot.line;
    const auto run = [&]() -> Run& {
      if (runs_.empty() || runs_.back().last != at) runs_.push_back({at, at, {}});
      return runs_.back();
    };
    for (const HunkLine& line : hunk.lines) {
      switch (line.kind) {
        case Kind::kContext: ++at; break;
        case Kind::kRemoved:
          run().last = at + 1;
          ++at;
          break;
        case Kind::kAdded: run().next.push_back(reindent.Apply(line.text)); break;
      }
    }
  }

 public:
  std::size_t work() const { return work_; }

 private:
  const Lines& lines_;
  std::vector<Run> runs_;
  std::vector<HunkDone> done_;
  std::size_t cursor_ = 0;  // the first line that no hunk has had yet
  std::ptrdiff_t offset_ = 0;
  std::size_t work_ = 0;
  std::array<std::unique_ptr<const LineIndex>, std::size(kMatchPasses)> indices_;  // when needed
};

// The last line's end, where the patch changes it.
void SetLastEnd(FlatText& flat, const Hunk& last) {
  const std::string& text = flat.text();
  if (last.old_end_missing == last.new_end_missing || text.empty()) return;
  if (last.new_end_missing && text.ends_with('\n')) {
    const Replaced removal{text.size() - 1, text.size(), ""};
    flat.Splice({&removal, 1});
  } else if (last.old_end_missing && !text.ends_with('\n')) {
    const Replaced addition{text.size(), text.size(), "\n"};
    flat.Splice({&addition, 1});
  }
}

}  // namespace

Attempt<PatchedText> ApplyHunks(std::string_view text, std::span<const Hunk> hunks) {
  FlatText flat(text);
  PatchedText patched;
  std::vector<Replaced> changes;
  {
    const Lines lines(flat.text());
    if (lines.size() > kMaxPatchedLines) {
      return EditFailure(ErrorCode::kTooLarge, "a file to patch has at most " +
                                                   std::to_string(kMaxPatchedLines) + " lines");
    }
    Applying applying(lines);
    for (std::size_t number = 0; number < hunks.size(); ++number) {
      if (applying.work() > kMaxPatchWork) {
        return EditFailure(ErrorCode::kLimitExceeded,
                           "so many hunks in so large a file take too long; split the patch");
      }
      Attempt<void> added = applying.Add(hunks[number]);
      if (added) continue;
      Failure failure = std::move(added.error());
      failure.error.detail = "hunk " + std::to_string(number + 1) + " (line " +
                             std::to_string(hunks[number].patch_line) +
                             " of the patch): " + failure.error.detail;
      failure.data["hunk"] = number + 1;
      failure.data["patch_line"] = hunks[number].patch_line;
      return failure;
    }
    changes = applying.Changes();
    patched.hunks = applying.TakeDone();
  }
  flat.Splice(changes);
  if (!hunks.empty()) SetLastEnd(flat, hunks.back());
  patched.text = flat.Restore();
  return patched;
}

}  // namespace cordon::tools
