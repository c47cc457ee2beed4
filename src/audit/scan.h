// Lines of a log file, and whether they continue its chain.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "audit/head_image.h"
#include "audit/log_bytes.h"
#include "base/sha256.h"
#include "cordon/result.h"

namespace cordon::audit {

enum class LineEnding {
  kNewline,
  kEndOfFile,  // the last line, and its newline is missing
  kTooLong,    // longer than any record; only the beginning is told
};

struct ScannedLine {
  std::string_view text;  // without the newline; until the next call
  std::uint64_t offset = 0;
  LineEnding ending = LineEnding::kNewline;
};

// Reads [offset, end) of a log file line by line, in memory that a line fits into.
class LineScanner {
 public:
  LineScanner(const LogBytes& bytes, std::uint64_t offset, std::uint64_t end);
  // Nothing at the end, and after a line that is too long. A file that ends early
  // ends the lines.
  Result<std::optional<ScannedLine>> Next();

 private:
  Result<std::size_t> Fill();

  LogBytes bytes_;
  std::uint64_t offset_;  // of buffer_[begin_]
  std::uint64_t end_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, filled_ = 0;
  bool done_ = false;
};

// Why a walk along the chain ended.
enum class ChainEnd {
  kEndOfFile,   // every byte belongs to it
  kUnfinished,  // a last line without its newline
  kNoRecord,    // a line that is no record with a right hash
  kOther,       // a record, but not the one that comes next
};

// Moves `state` (seq, offset, hash) over the records of the file that follow it.
Result<ChainEnd> FollowChain(const LogBytes& bytes, std::uint64_t end, HmacSha256& mac,
                             HeadState& state);

}  // namespace cordon::audit
