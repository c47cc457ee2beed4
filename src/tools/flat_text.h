// Text in which every line ends in "\n", and the memory of which ends were "\r\n": what
// is quoted with one kind of line end is found and replaced in a file with the other.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cordon::tools {

// What takes the place of the bytes from `begin` up to `end`.
struct Replaced {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string text;
};

class FlatText {
 public:
  // Guarantees: Restore gives back `text`, byte for byte.
  explicit FlatText(std::string_view text);

  const std::string& text() const { return text_; }
  std::string Restore() const;
  // Whether the line end of this number, from 0, is "\r\n".
  bool IsCrLf(std::size_t line) const { return line < crlf_.size() && crlf_[line]; }

  // For a text without any line end: new ones become what those of `given` are.
  void FollowIfAlone(std::string_view given);

  // Replaces all of `changes`, which are in order, do not overlap and have no "\r\n".
  // Guarantees: line ends outside, and those that a replaced piece and its new text
  //   begin or end with alike, stay what they are. A new one is what the end in its
  //   place was, else what the ends beside it are.
  void Splice(std::span<const Replaced> changes);

  // `text` with "\n" for every "\r\n".
  static std::string WithoutReturns(std::string_view text);

 private:
  std::string text_;
  std::vector<bool> crlf_;  // of each "\n" in order
  bool new_crlf_ = false;   // where there is none
};

// Line numbers from 1 of byte positions, which are in order.
std::vector<std::size_t> LinesAt(std::string_view text, std::span<const std::size_t> positions);

}  // namespace cordon::tools
