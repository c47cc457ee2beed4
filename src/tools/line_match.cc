#include "tools/line_match.h"

#include <algorithm>
#include <optional>

namespace cordon::tools {
namespace {

using Number = std::ptrdiff_t;
using Lines = std::span<const std::uint32_t>;

// A stretch of both texts that is still to be compared.
struct Box {
  std::size_t old_begin, old_end;
  std::size_t new_begin, new_end;
};

// A run of equal lines in the middle of a shortest way through a box, seen from its
// corner, and how many changes the whole way has.
struct Snake {
  std::size_t old_begin, new_begin;
  std::size_t old_end, new_end;
  std::size_t changes;
};

// Which diagonals a way of `changes` steps can be on without leaving the box.
Number LowestDiagonal(Number changes, Number height) {
  return -(changes - 2 * std::max<Number>(0, changes - height));
}
Number HighestDiagonal(Number changes, Number width) {
  return changes - 2 * std::max<Number>(0, changes - width);
}

// The greedy search of Myers, from both ends at once, so that it needs no more memory
// than the texts have lines.
class Matcher {
 public:
  Matcher(Lines old_lines, Lines new_lines, std::size_t max_steps, LineChanges& changes)
      : old_(old_lines), new_(new_lines), steps_left_(max_steps), changes_(changes) {
    const std::size_t reach = std::min(old_.size(), new_.size());
    ring_ = static_cast<Number>(2 * reach + 2);
    forward_.resize(2 * reach + 2);
    backward_.resize(2 * reach + 2);
  }

  void Run() {
    std::vector<Box> boxes{{0, old_.size(), 0, new_.size()}};
    while (!boxes.empty()) {
      Box box = boxes.back();
      boxes.pop_back();
      Trim(box);
      if (box.old_begin == box.old_end || box.new_begin == box.new_end) {
        Replace(box);
        continue;
      }
      const std::optional<Snake> snake = FindMiddle(box);
      if (!snake) {
        Replace(box);
        continue;
      }
      boxes.push_back({box.old_begin, box.old_begin + snake->old_begin, box.new_begin,
                       box.new_begin + snake->new_begin});
      boxes.push_back({box.old_begin + snake->old_end, box.old_end, box.new_begin + snake->new_end,
                       box.new_end});
    }
  }

 private:
  void Trim(Box& box) const {
    while (box.old_begin < box.old_end && box.new_begin < box.new_end &&
           old_[box.old_begin] == new_[box.new_begin]) {
      ++box.old_begin;
      ++box.new_begin;
    }
    while (box.old_begin < box.old_end && box.new_begin < box.new_end &&
           old_[box.old_end - 1] == new_[box.new_end - 1]) {
      --box.old_end;
      --box.new_end;
    }
  }

  void Replace(const Box& box) {
    for (std::size_t i = box.old_begin; i < box.old_end; ++i) changes_.removed[i] = true;
    for (std::size_t i = box.new_begin; i < box.new_end; ++i) changes_.added[i] = true;
  }

  std::size_t Slot(Number diagonal) const {
    const Number slot = diagonal % ring_;
    return static_cast<std::size_t>(slot < 0 ? slot + ring_ : slot);
  }

  enum class From { kStart, kEnd };

  // One more change in one direction; the snake if the two searches have met.
  std::optional<Snake> Advance(const Box& box, Number changes, From from) {
    const auto width = static_cast<Number>(box.old_end - box.old_begin);
    const auto height = static_cast<Number>(box.new_end - box.new_begin);
    std::vector<Number>& own = from == From::kStart ? forward_ : backward_;
    const std::vector<Number>& other = from == From::kStart ? backward_ : forward_;
    const Number skew = width - height;
    const bool may_meet = (skew % 2 != 0) == (from == From::kStart);
    const Number met_within = from == From::kStart ? changes - 1 : changes;
    const Number last = HighestDiagonal(changes, width);
    for (Number at = LowestDiagonal(changes, height); at <= last; at += 2) {
      const Number below = own[Slot(at - 1)];
      const Number above = own[Slot(at + 1)];
      const bool down = at == -changes || (at != changes && below < above);
      Number x = down ? above : below + 1;
      Number y = x - at;
      const Number start_x = x;
      const Number start_y = y;
      while (x < width && y < height && Same(box, x, y, from)) {
        ++x;
        ++y;
      }
      steps_left_ -= std::min(steps_left_, static_cast<std::size_t>(x - start_x + 1));
      own[Slot(at)] = x;
      const Number opposite = skew - at;
      if (!may_meet || opposite < -met_within || opposite > met_within) continue;
      if (x + other[Slot(opposite)] < width) continue;
      const auto whole = static_cast<std::size_t>(2 * changes - (from == From::kStart ? 1 : 0));
      if (from == From::kStart) return MakeSnake(start_x, start_y, x, y, whole);
      return MakeSnake(width - x, height - y, width - start_x, height - start_y, whole);
    }
    return std::nullopt;
  }

  static Snake MakeSnake(Number x, Number y, Number end_x, Number end_y, std::size_t changes) {
    return {static_cast<std::size_t>(x), static_cast<std::size_t>(y),
            static_cast<std::size_t>(end_x), static_cast<std::size_t>(end_y), changes};
  }

  bool Same(const Box& box, Number x, Number y, From from) const {
    const auto across = static_cast<std::size_t>(x);
    const auto along = static_cast<std::size_t>(y);
    return from == From::kStart ? old_[box.old_begin + across] == new_[box.new_begin + along]
                                : old_[box.old_end - 1 - across] == new_[box.new_end - 1 - along];
  }

  // Unset when the steps are used up. The box has no common start or end, so that
  // there are two changes at least and both halves are smaller than the whole.
  std::optional<Snake> FindMiddle(const Box& box) {
    const auto total =
        static_cast<Number>(box.old_end - box.old_begin + box.new_end - box.new_begin);
    // Only what this box can reach, or many small boxes would cost the square.
    const auto used = static_cast<std::size_t>(
        2 * std::min(box.old_end - box.old_begin, box.new_end - box.new_begin) + 2);
    ring_ = static_cast<Number>(used);
    std::fill_n(forward_.begin(), used, 0);
    std::fill_n(backward_.begin(), used, 0);
    for (Number changes = 0; changes <= total / 2 + 1; ++changes) {
      if (steps_left_ == 0) return std::nullopt;
      for (const From from : {From::kStart, From::kEnd}) {
        if (auto met = Advance(box, changes, from)) return met;
      }
    }
    return std::nullopt;
  }

  Lines old_;
  Lines new_;
  std::size_t steps_left_;
  LineChanges& changes_;
  Number ring_ = 2;  // how many diagonals have a slot of their own
  std::vector<Number> forward_;
  std::vector<Number> backward_;
};

// The lines that the other text has as well, and where they stood. A line that it does
// not have is a change in any case, and would only make the search longer.
struct Shared {
  std::vector<std::uint32_t> lines;
  std::vector<std::size_t> places;
};

Shared KeepShared(Lines lines, const std::vector<bool>& known, std::vector<bool>& changed) {
  Shared shared;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i] < known.size() && known[lines[i]]) {
      shared.lines.push_back(lines[i]);
      shared.places.push_back(i);
    } else {
      changed[i] = true;
    }
  }
  return shared;
}

std::vector<bool> SetOf(Lines lines) {
  std::vector<bool> set;
  for (const std::uint32_t line : lines) {
    if (line >= set.size()) set.resize(line + 1);
    set[line] = true;
  }
  return set;
}

}  // namespace

LineChanges MatchLines(Lines old_lines, Lines new_lines, std::size_t max_steps) {
  LineChanges changes{std::vector<bool>(old_lines.size()), std::vector<bool>(new_lines.size())};
  const Shared old_shared = KeepShared(old_lines, SetOf(new_lines), changes.removed);
  const Shared new_shared = KeepShared(new_lines, SetOf(old_lines), changes.added);
  LineChanges inner{std::vector<bool>(old_shared.lines.size()),
                    std::vector<bool>(new_shared.lines.size())};
  Matcher(old_shared.lines, new_shared.lines, max_steps, inner).Run();
  for (std::size_t i = 0; i < inner.removed.size(); ++i) {
    if (inner.removed[i]) changes.removed[old_shared.places[i]] = true;
  }
  for (std::size_t i = 0; i < inner.added.size(); ++i) {
    if (inner.added[i]) changes.added[new_shared.places[i]] = true;
  }
  return changes;
}

}  // namespace cordon::tools
