#include "tools/line_window.h"

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>

namespace cordon::tools {
namespace {

constexpr std::size_t kNumberWidth = 6;

bool IsContinuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

// Eight bytes at a time: lines are long and many.
std::int64_t CharactersIn(std::string_view text) {
  constexpr std::uint64_t kOnes = 0x0101010101010101U;
  std::int64_t continuations = 0;
  std::size_t at = 0;
  for (; at + sizeof(std::uint64_t) <= text.size(); at += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + at, sizeof word);
    continuations += std::popcount((word >> 7U) & ~(word >> 6U) & kOnes);
  }
  for (; at < text.size(); ++at) continuations += IsContinuation(text[at]) ? 1 : 0;
  return static_cast<std::int64_t>(text.size()) - continuations;
}

}  // namespace

LineWindow::LineWindow(std::int64_t first, std::int64_t last, std::int64_t at,
                       const WindowLimits& limits, LineNumbers numbers)
    : first_(first),
      wanted_(last),
      line_(at),
      limits_(limits),
      numbers_(numbers),
      last_(first - 1) {}

// False if the line has no room left.
bool LineWindow::BeginLine() {
  const bool room = line_ - first_ < limits_.lines && characters_ < limits_.characters;
  if (!room) {
    stopped_ = done_ = true;
    return false;
  }
  line_begin_ = content_.size();
  line_characters_ = 0;
  line_cut_ = false;
  in_line_ = true;
  if (numbers_ == LineNumbers::kShown) {
    const std::string number = std::to_string(line_);
    if (number.size() < kNumberWidth) content_.append(kNumberWidth - number.size(), ' ');
    content_ += number + '\t';
  }
  return true;
}

void LineWindow::AddToLine(std::string_view piece) {
  if (!line_cut_ && static_cast<std::int64_t>(piece.size()) <=
                        static_cast<std::int64_t>(limits_.line_characters) -
                            static_cast<std::int64_t>(line_characters_)) {
    const auto characters = static_cast<decltype(characters_)>(CharactersIn(piece));
    line_characters_ += characters;
    characters_ += characters;
    content_ += piece;
    return;
  }
  std::size_t at = 0;
  for (; at < piece.size(); ++at) {
    if (IsContinuation(piece[at])) continue;
    if (line_characters_ == limits_.line_characters) break;
    ++line_characters_;
    ++characters_;
  }
  if (!line_cut_) content_ += piece.substr(0, at);
  if (at < piece.size()) line_cut_ = true;
}

void LineWindow::Finish() {
  if (in_line_ && line_cut_) {
    content_ += " [line cut]";
    ++cut_lines_;
  }
  in_line_ = false;
}

LineWindow::More LineWindow::Feed(std::string_view piece) {
  while (!piece.empty() && !done_) {
    const std::size_t newline = piece.find('\n');
    const bool ends = newline != std::string_view::npos;
    const std::string_view line = piece.substr(0, newline);
    piece.remove_prefix(ends ? newline + 1 : piece.size());
    if (line_ > wanted_) {
      done_ = true;
      break;
    }
    if (line_ >= first_) {
      if (!in_line_ && !BeginLine()) break;
      AddToLine(line);
      // What overflows is taken back, unless there is nothing else.
      if (characters_ > limits_.characters && line_ > first_) {
        content_.resize(line_begin_);
        last_ = line_ - 1;
        in_line_ = false;
        stopped_ = done_ = true;
        break;
      }
      last_ = line_;
    }
    if (!ends) continue;
    if (in_line_) {
      Finish();
      content_ += '\n';
      ++characters_;
    }
    ++line_;
  }
  return done_ ? More::kNotWanted : More::kWanted;
}

}  // namespace cordon::tools
