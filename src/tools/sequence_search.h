// Where one sequence occurs in another, in linear time whatever the two hold.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cordon::tools {

// Knuth, Morris and Pratt's search: texts made to be slow to search are not.
template <typename T>
class SequenceSearch {
 public:
  // `wanted` is not empty, has less than 2^32 elements and outlives this object.
  explicit SequenceSearch(std::span<const T> wanted) : wanted_(wanted), border_(wanted.size()) {
    std::uint32_t length = 0;
    for (std::size_t at = 1; at < wanted.size(); ++at) {
      length = Extend(length, wanted[at]);
      border_[at] = length;
    }
  }

  // Calls `found(index)` for each occurrence in order, also for those that overlap.
  template <typename Found>
  void Each(std::span<const T> in, const Found& found) const {
    std::uint32_t matched = 0;
    for (std::size_t at = 0; at < in.size(); ++at) {
      matched = Extend(matched, in[at]);
      if (matched < wanted_.size()) continue;
      found(at + 1 - wanted_.size());
      matched = border_[matched - 1];
    }
  }

 private:
  // How much of `wanted` is matched after `next`, if `length` was before it.
  std::uint32_t Extend(std::uint32_t length, const T& next) const {
    while (length > 0 && !(wanted_[length] == next)) length = border_[length - 1];
    return wanted_[length] == next ? length + 1 : 0;
  }

  std::span<const T> wanted_;
  // Of each beginning of `wanted`, how long its longest end is that is a beginning, too.
  std::vector<std::uint32_t> border_;
};

}  // namespace cordon::tools
