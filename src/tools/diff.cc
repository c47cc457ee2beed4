#include "tools/diff.h"

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "base/printable.h"
#include "tools/line_match.h"

namespace cordon::tools {
namespace {

using Lines = std::vector<std::string_view>;

// With their ends.
Lines SplitLines(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::size_t size = end == std::string_view::npos ? text.size() : end + 1;
    lines.push_back(text.substr(0, size));
    text.remove_prefix(size);
  }
  return lines;
}

class Numbering {
 public:
  std::vector<std::uint32_t> Of(const Lines& lines) {
    std::vector<std::uint32_t> numbers;
    numbers.reserve(lines.size());
    for (const std::string_view line : lines) {
      const auto next = static_cast<std::uint32_t>(known_.size());
      numbers.push_back(known_.try_emplace(line, next).first->second);
    }
    return numbers;
  }

 private:
  std::unordered_map<std::string_view, std::uint32_t> known_;
};

// Lines [old_begin, old_end) became [new_begin, new_end).
struct Change {
  std::size_t old_begin, old_end;
  std::size_t new_begin, new_end;
};

std::vector<Change> ChangesOf(const LineChanges& lines) {
  std::vector<Change> changes;
  std::size_t at_old = 0;
  std::size_t at_new = 0;
  while (at_old < lines.removed.size() || at_new < lines.added.size()) {
    Change change{at_old, at_old, at_new, at_new};
    while (change.old_end < lines.removed.size() && lines.removed[change.old_end]) ++change.old_end;
    while (change.new_end < lines.added.size() && lines.added[change.new_end]) ++change.new_end;
    at_old = change.old_end;
    at_new = change.new_end;
    if (change.old_begin != change.old_end || change.new_begin != change.new_end) {
      changes.push_back(change);
    } else {
      ++at_old;
      ++at_new;
    }
  }
  return changes;
}

void AddLine(std::string& text, char mark, std::string_view line) {
  text += mark;
  text += line;
  if (!line.ends_with('\n')) text += "\n\\ No newline at end of file\n";
}

// "12", "12,3" and, for nothing, "11,0".
std::string RangeText(std::size_t begin, std::size_t end) {
  const std::size_t count = end - begin;
  const std::size_t first = count == 0 ? begin : begin + 1;
  return count == 1 ? std::to_string(first) : std::to_string(first) + "," + std::to_string(count);
}

class Writer {
 public:
  Writer(const Lines& old_lines, const Lines& new_lines, std::size_t context)
      : old_(old_lines), new_(new_lines), context_(context) {}

  // The hunk that begins with changes[first]; `next` is the first that is not in it.
  std::string Hunk(const std::vector<Change>& changes, std::size_t first, std::size_t& next) const {
    next = first + 1;
    while (next < changes.size() &&
           changes[next].old_begin - changes[next - 1].old_end <= 2 * context_) {
      ++next;
    }
    const std::size_t before = std::min(context_, changes[first].old_begin);
    const std::size_t after = std::min(context_, old_.size() - changes[next - 1].old_end);
    std::string body;
    std::size_t at = changes[first].old_begin - before;
    for (std::size_t i = first; i < next; ++i) {
      for (; at < changes[i].old_begin; ++at) AddLine(body, ' ', old_[at]);
      for (; at < changes[i].old_end; ++at) AddLine(body, '-', old_[at]);
      for (std::size_t j = changes[i].new_begin; j < changes[i].new_end; ++j) {
        AddLine(body, '+', new_[j]);
      }
    }
    for (std::size_t i = 0; i < after; ++i) AddLine(body, ' ', old_[at + i]);
    return "@@ -" + RangeText(changes[first].old_begin - before, at + after) + " +" +
           RangeText(changes[first].new_begin - before, changes[next - 1].new_end + after) +
           " @@\n" + body;
  }

 private:
  const Lines& old_;
  const Lines& new_;
  std::size_t context_;
};

bool IsBinary(std::string_view text) { return text.find('\0') != std::string_view::npos; }

}  // namespace

std::string UnifiedDiff(std::string_view old_text, std::string_view new_text,
                        std::string_view old_name, std::string_view new_name, std::size_t context,
                        const DiffLimits& limits) {
  if (old_text == new_text) return {};
  const std::string first = Printable(old_name);
  const std::string second = Printable(new_name);
  const std::string both = first + " and " + second;
  if (IsBinary(old_text) || IsBinary(new_text)) return "Binary files " + both + " differ\n";
  if (old_text.size() > limits.max_input || new_text.size() > limits.max_input - old_text.size()) {
    return "Files " + both + " differ; they are too large to be compared\n";
  }
  const Lines old_lines = SplitLines(old_text);
  const Lines new_lines = SplitLines(new_text);
  Numbering numbering;
  const std::vector<std::uint32_t> old_numbers = numbering.Of(old_lines);
  const std::vector<std::uint32_t> new_numbers = numbering.Of(new_lines);
  const std::vector<Change> changes =
      ChangesOf(MatchLines(old_numbers, new_numbers, limits.max_steps));
  std::string diff = "--- " + first + "\n+++ " + second + "\n";
  // More context than there are lines is all of them.
  const Writer writer(old_lines, new_lines, std::min(context, old_lines.size()));
  for (std::size_t at = 0, next = 0; at < changes.size(); at = next) {
    const std::string hunk = writer.Hunk(changes, at, next);
    if (hunk.size() > limits.max_output - std::min(limits.max_output, diff.size())) {
      return diff + "... the diff is longer than " + std::to_string(limits.max_output) +
             " bytes; the rest is left out\n";
    }
    diff += hunk;
  }
  return diff;
}

}  // namespace cordon::tools
