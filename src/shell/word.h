// A text of which each byte is known, or matched, or only guessed at.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "shell/explain.h"

namespace cordon::shell {

// What is known of one byte of a word.
enum class Mark : char {
  kLiteral,
  kGlob,     // *, ? or [ that the shell matches against names
  kHome,     // the "~" that stands for the home directory
  kStart,    // the "." that stands for where the command line was started
  kUnknown,  // part of something written, such as "$name", whose value is not known
};

// Longest word that is worked out; what is longer is not known.
inline constexpr std::size_t kMaxWordBytes = 64 * 1024;

class Word {
 public:
  Word() = default;
  explicit Word(std::string_view text, Mark mark = Mark::kLiteral);

  static Word Unknown(std::string_view written) { return Word(written, Mark::kUnknown); }

  void Add(char byte, Mark mark);
  // A "[" that no "]" follows matches nothing but itself.
  void CloseBrackets();
  void Add(const Word& other);

  const std::string& text() const { return text_; }
  bool empty() const { return text_.empty(); }
  std::size_t size() const { return text_.size(); }
  Mark mark(std::size_t at) const { return static_cast<Mark>(marks_[at]); }
  Exactness exactness() const;
  bool exact() const { return exactness() == Exactness::kExact; }
  // The known text it begins with; the whole of it if all is known.
  std::string_view KnownPrefix() const;
  Word Sub(std::size_t from, std::size_t count = std::string::npos) const;
  bool Is(std::string_view text) const { return text_ == text && exact(); }

  Argument AsArgument() const { return {text_, exactness()}; }
  bool operator==(const Word&) const = default;

 private:
  std::string text_;
  std::string marks_;  // one Mark a byte
};

}  // namespace cordon::shell
