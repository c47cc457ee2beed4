// Where the bytes of a file come from.
#pragma once

#include <cstddef>
#include <span>

#include "cordon/result.h"

namespace cordon::search {

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  // Fills `buffer` or ends: less than asked for means that nothing follows.
  virtual Result<std::size_t> Fill(std::span<char> buffer) = 0;
};

}  // namespace cordon::search
