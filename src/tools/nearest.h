// What in a text comes closest to a quotation that is not there.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace cordon::tools {

struct Nearest {
  std::size_t first_line = 0, last_line = 0;  // from 1
  std::string text;                           // those lines; cut after kMaxNearestBytes
  std::string difference;                     // in words: how the quotation differs
  std::string diff;                           // unified, from the quotation to the text
};

inline constexpr std::size_t kMaxNearestBytes = 4096;

// The lines that share most with `wanted`: whole lines in the same order, else pieces
// of its longest line. Unset if nothing has enough in common to be worth showing.
// A guess for people and models; nothing is ever changed by it.
// Of a text beyond 16 MiB only the beginning is searched. Time and memory: linear.
std::optional<Nearest> FindNearest(std::string_view text, std::string_view wanted);

}  // namespace cordon::tools
