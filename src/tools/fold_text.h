// Typographic characters as the plain ones that models write for them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cordon::tools {

// Quotes, dashes and spaces as ASCII; everything else as it is. The fold of two texts
// together is the folds of each together.
class FoldedText {
 public:
  explicit FoldedText(std::string_view text);

  const std::string& text() const { return text_; }
  // Where in the given text the folded text's position is from.
  std::size_t Original(std::size_t position) const;

 private:
  std::string text_;
  // After which position how many bytes are missing, in order.
  std::vector<std::pair<std::size_t, std::size_t>> missing_;
};

std::string FoldPunctuation(std::string_view text);

}  // namespace cordon::tools
