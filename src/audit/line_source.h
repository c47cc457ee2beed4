// The lines of one file that others may be writing to.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "audit/line.h"
#include "audit/log_bytes.h"
#include "audit/reader.h"
#include "confine/file.h"
#include "cordon/result.h"
#include "platform/file_stat.h"

namespace cordon::audit {

// Guarantees: a line is taken whole, from one read, once its newline is there: what a
//   killed writer left half-written, and the next one removes, is never joined with
//   what comes after it. Memory does not grow beyond the longest line allowed.
class LineSource {
 public:
  // Tells what is staged for a file; nothing if it is not the newest.
  using ReadStaged = std::function<Result<Staged>(const platform::FileIdentity&)>;

  static Result<LineSource> Open(confine::File file, std::string name, ReadStaged read_staged);

  // Every complete line from where the last call ended.
  // Errors: kTooLarge for a line beyond kMaxLine, once; the next call goes on
  //   behind it. kIoError, also when the file has become shorter than what was read.
  Result<ReadOn> Read(const std::function<ReadOn(const Reader::Line&)>& line);

  // Passes over up to `limit` complete lines. How many there were.
  Result<std::size_t> Skip(std::size_t limit);
  void Rewind();

  const platform::FileIdentity& identity() const { return identity_; }

 private:
  LineSource(confine::File file, std::string name, ReadStaged read_staged)
      : file_(std::move(file)), name_(std::move(name)), read_staged_(std::move(read_staged)) {}
  Result<std::size_t> ReadAt(std::uint64_t offset);
  // Bytes from the beginning of the next line on; more of them where the line is long.
  Result<std::string_view> Fill();
  Status CheckNotShorter();

  confine::File file_;
  std::string name_;
  platform::FileIdentity identity_;
  ReadStaged read_staged_;
  Staged staged_;             // when the end of the file was last met
  std::uint64_t offset_ = 0;  // of what was not given out yet
  std::size_t lines_ = 0;     // before that
  // Of a line that is too long and whose end was not met yet: where it begins.
  std::optional<std::uint64_t> too_long_;
  std::string buffer_;
};

}  // namespace cordon::audit
