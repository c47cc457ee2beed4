// The part of a text that fits into an answer: whole lines between two numbers, cut where
// they are too long or too many.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace cordon::tools {

struct WindowLimits {
  std::int64_t lines = 2000;
  std::size_t line_characters = 2000;
  std::size_t characters = 48'000;
};

enum class LineNumbers { kNone, kShown };  // "%6d\t", as `cat -n` has them

// Fed a text piece by piece, from the beginning of some line on.
class LineWindow {
 public:
  // `first` to `last`, counted from 1. `at`: the number of the line that is fed first.
  LineWindow(std::int64_t first, std::int64_t last, std::int64_t at, const WindowLimits& limits,
             LineNumbers numbers);

  enum class More { kWanted, kNotWanted };
  More Feed(std::string_view piece);
  void Finish();  // after the last piece

  const std::string& content() const { return content_; }
  std::int64_t last_line() const { return last_; }       // the last that is in; first-1: none
  std::int64_t cut_lines() const { return cut_lines_; }  // how many lost their ends
  // Whether lines up to `last` were left out because of a limit.
  bool stopped() const { return stopped_; }

 private:
  bool BeginLine();
  void AddToLine(std::string_view piece);

  std::int64_t first_, wanted_, line_;
  WindowLimits limits_;
  LineNumbers numbers_;
  std::string content_;
  std::int64_t last_;
  std::int64_t cut_lines_ = 0;
  std::size_t characters_ = 0;       // in all
  std::size_t line_characters_ = 0;  // in this line
  std::size_t line_begin_ = 0;       // of content_
  bool in_line_ = false, line_cut_ = false, stopped_ = false, done_ = false;
};

}  // namespace cordon::tools
