// Lines of a text, prepared so that many runs of lines can be looked for in it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tools/line_search.h"

namespace cordon::tools {

class LineIndex {
 public:
  // `lines` must outlive it. Takes longer than a single FindLines.
  LineIndex(const Lines& lines, MatchPass pass);
  LineIndex(const LineIndex&) = delete;
  LineIndex& operator=(const LineIndex&) = delete;

  // As FindLines. A number is compared for each line that is left, or none at all if
  // something of `wanted` is nowhere.
  std::vector<std::size_t> Find(std::span<const std::string_view> wanted, std::size_t from) const;

 private:
  MatchPass pass_;
  std::string folded_;                  // what the keys are parts of, where that is not the text
  std::vector<std::string_view> keys_;  // in order, each once
  std::vector<std::uint32_t> numbers_;  // of each line, its key's place
};

}  // namespace cordon::tools
