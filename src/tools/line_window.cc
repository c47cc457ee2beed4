#include "tools/line_window.h"

#include <string>

namespace cordon::tools {
namespace {

constexpr std::size_t kNumberWidth = 6;

bool IsContinuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

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
