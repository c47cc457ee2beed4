#include "shell/word.h"

#include <algorithm>

namespace cordon::shell {

Word::Word(std::string_view text, Mark mark)
    : text_(text), marks_(text.size(), static_cast<char>(mark)) {}

void Word::Add(char byte, Mark mark) {
  text_ += byte;
  marks_ += static_cast<char>(mark);
}

void Word::Add(const Word& other) {
  text_ += other.text_;
  marks_ += other.marks_;
}

void Word::CloseBrackets() {
  const std::size_t last = text_.rfind(']');
  for (std::size_t i = 0; i < text_.size(); ++i) {
    const bool open = text_[i] == '[' && mark(i) == Mark::kGlob;
    if (open && (last == std::string::npos || last < i)) {
      marks_[i] = static_cast<char>(Mark::kLiteral);
    }
  }
}

Exactness Word::exactness() const {
  Exactness result = Exactness::kExact;
  for (const char mark : marks_) {
    if (static_cast<Mark>(mark) == Mark::kUnknown) return Exactness::kUnknown;
    if (static_cast<Mark>(mark) == Mark::kGlob) result = Exactness::kPattern;
  }
  return result;
}

std::string_view Word::KnownPrefix() const {
  const auto known = [](char mark) {
    return static_cast<Mark>(mark) != Mark::kUnknown && static_cast<Mark>(mark) != Mark::kGlob;
  };
  const auto end = std::find_if_not(marks_.begin(), marks_.end(), known);
  return std::string_view(text_).substr(0, static_cast<std::size_t>(end - marks_.begin()));
}

Word Word::Sub(std::size_t from, std::size_t count) const {
  Word part;
  if (from >= text_.size()) return part;
  part.text_ = text_.substr(from, count);
  part.marks_ = marks_.substr(from, count);
  return part;
}

}  // namespace cordon::shell
