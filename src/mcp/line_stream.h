// Bytes in and out, without saying from where.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "cordon/result.h"

namespace cordon::mcp {

// Thread safety: one thread reads while another writes.
class LineStream {
 public:
  virtual ~LineStream() = default;
  // Waits for some. 0: the end.
  virtual Result<std::size_t> Read(std::span<char> buffer) = 0;
  // Whether Read would not wait. False also where that cannot be told.
  virtual bool HasInput() { return false; }
  // All of it. Errors: kIoError: nobody reads any more.
  virtual Status Write(std::string_view bytes) = 0;
};

}  // namespace cordon::mcp
