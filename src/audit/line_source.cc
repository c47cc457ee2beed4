#include "audit/line_source.h"

#include <algorithm>
#include <span>
#include <utility>

#include "base/printable.h"
#include "base/try.h"

namespace cordon::audit {
namespace {

constexpr std::size_t kChunk = 64u << 10;

Error InFile(ErrorCode code, const std::string& name, std::string detail) {
  Error error;
  error.code = code;
  error.op = "read";
  error.rule = "audit";
  error.component = name;
  error.detail = std::move(detail);
  return error;
}

}  // namespace

Result<LineSource> LineSource::Open(confine::File file, std::string name, ReadStaged read_staged) {
  LineSource source(std::move(file), std::move(name), std::move(read_staged));
  TRY_ASSIGN(const platform::FileStat stat, source.file_.Stat());
  source.identity_ = stat.identity;
  return source;
}

void LineSource::Rewind() {
  offset_ = 0;
  lines_ = 0;
  too_long_.reset();
}

// Into buffer_. Whether something is staged is looked at only where the file ends, as it
// takes the lock of all writers; then the file is read once more, as it may have grown.
Result<std::size_t> LineSource::ReadAt(std::uint64_t offset) {
  TRY_ASSIGN(const std::size_t size, file_.ReadAt(offset, std::span<char>(buffer_)));
  if (size == buffer_.size()) return size;
  TRY_ASSIGN(staged_, read_staged_(identity_));
  return LogBytes(file_.descriptor(), staged_).ReadAt(offset, std::span<char>(buffer_));
}

Status LineSource::CheckNotShorter() {
  TRY_ASSIGN(const platform::FileStat stat, file_.Stat());
  const std::uint64_t end = LogBytes(file_.descriptor(), staged_).EndWith(stat.size);
  if (end >= offset_) return {};
  if (too_long_) {  // what had no end was removed again
    offset_ = *std::exchange(too_long_, std::nullopt);
    if (end >= offset_) return {};
  }
  return InFile(ErrorCode::kIoError, name_,
                "the log file " + Quoted(name_) + " has become shorter while it was read");
}

Result<std::string_view> LineSource::Fill() {
  if (buffer_.size() < kChunk) buffer_.resize(kChunk);
  for (;;) {
    TRY_ASSIGN(const std::size_t size, ReadAt(offset_));
    const std::string_view bytes(buffer_.data(), size);
    const bool more_may_follow = size == buffer_.size() && size <= kMaxLine;
    if (!more_may_follow || too_long_ || bytes.find('\n') != std::string_view::npos) return bytes;
    buffer_.resize(std::min(buffer_.size() * 4, kMaxLine + 1));
  }
}

Result<ReadOn> LineSource::Read(const std::function<ReadOn(const Reader::Line&)>& line) {
  for (;;) {
    TRY_ASSIGN(std::string_view bytes, Fill());
    if (bytes.empty()) {
      TRY(CheckNotShorter());
      return ReadOn::kYes;
    }
    std::size_t end = bytes.find('\n');
    if (end == std::string_view::npos) {
      if (!too_long_ && bytes.size() <= kMaxLine) return ReadOn::kYes;  // not whole yet
      const bool known = too_long_.has_value();
      if (!known) too_long_ = offset_;
      offset_ += bytes.size();
      if (known) continue;
      return InFile(ErrorCode::kTooLarge, name_,
                    "line " + std::to_string(lines_ + 1) + " of " + Quoted(name_) +
                        " is longer than any record");
    }
    for (; end != std::string_view::npos; end = bytes.find('\n')) {
      const std::string_view text = bytes.substr(0, end);
      bytes.remove_prefix(end + 1);
      offset_ += end + 1;
      ++lines_;
      if (std::exchange(too_long_, std::nullopt)) continue;
      if (line({text, name_, lines_}) == ReadOn::kStop) return ReadOn::kStop;
    }
  }
}

Result<std::size_t> LineSource::Skip(std::size_t limit) {
  std::size_t skipped = 0;
  std::uint64_t position = offset_;
  buffer_.resize(std::max(buffer_.size(), kChunk));
  while (skipped < limit) {
    TRY_ASSIGN(const std::size_t size, ReadAt(position));
    if (size == 0) break;
    const std::string_view bytes(buffer_.data(), size);
    for (std::size_t at = bytes.find('\n'); at != std::string_view::npos && skipped < limit;
         at = bytes.find('\n', at + 1)) {
      ++skipped;
      offset_ = position + at + 1;
    }
    position += size;
  }
  lines_ += skipped;
  return skipped;
}

}  // namespace cordon::audit
