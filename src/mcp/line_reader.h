// Lines out of bytes, none longer than allowed.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "cordon/result.h"
#include "mcp/line_stream.h"

namespace cordon::mcp {

// Thread safety: one thread at a time.
class LineReader {
 public:
  LineReader(LineStream& stream, std::size_t longest) : stream_(stream), longest_(longest) {}

  enum class Outcome { kLine, kTooLong, kEnd };
  // `line`: without its end. A line that is too long is skipped as a whole; half a line
  // at the end of the input is none. Errors: those of the stream.
  Result<Outcome> Next(std::string& line);
  // Whether Next has a whole line, and will not wait for one. Takes in what has come.
  bool HasNext();

 private:
  // Whether there is a line end; begins where the last look ended.
  bool SeesEnd();
  Result<std::size_t> Fill();

  LineStream& stream_;
  const std::size_t longest_;
  std::string buffer_;     // room; what it holds is [begin_, end_)
  std::size_t begin_ = 0;  // of what is not given yet
  std::size_t seen_ = 0;   // no line end before this
  std::size_t end_ = 0;
  bool ended_ = false;  // the stream: it is not asked again
};

}  // namespace cordon::mcp
