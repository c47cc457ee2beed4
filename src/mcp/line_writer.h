// Whole lines to one client from several threads.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <string_view>

#include "mcp/line_stream.h"

namespace cordon::mcp {

// Lines that come while one is being written go out together in the next write.
// Thread safety: everything may run concurrently.
class LineWriter {
 public:
  explicit LineWriter(LineStream& stream) : stream_(stream) {}

  // Adds the line end. Waits while much is unwritten.
  void Write(std::string_view line);
  bool broken() const;  // nobody reads any more

 private:
  LineStream& stream_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::string waiting_;
  bool writing_ = false;
  bool broken_ = false;
};

}  // namespace cordon::mcp
