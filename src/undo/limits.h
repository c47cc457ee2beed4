// How much the journal keeps.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cordon::undo {

struct Limits {
  std::uint64_t total = std::uint64_t{1} << 30;  // bytes of everything kept
  std::size_t file = std::size_t{64} << 20;      // bytes of one file
  std::size_t entries = 100'000;                 // of one tree

  // Of one operation: the newest ones must fit together with others.
  std::uint64_t operation() const { return total / 4; }
};

}  // namespace cordon::undo
