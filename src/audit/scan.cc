#include "audit/scan.h"

#include <algorithm>
#include <cstring>

#include "audit/line.h"
#include "base/try.h"

namespace cordon::audit {
namespace {

constexpr std::size_t kFirstBuffer = 256u << 10;

}  // namespace

LineScanner::LineScanner(const LogBytes& bytes, std::uint64_t offset, std::uint64_t end)
    : bytes_(bytes), offset_(offset), end_(end), buffer_(kFirstBuffer) {}

Result<std::size_t> LineScanner::Fill() {
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, filled_ - begin_);
    filled_ -= begin_;
    begin_ = 0;
  }
  if (filled_ == buffer_.size()) buffer_.resize(2 * buffer_.size());
  const std::uint64_t at = offset_ + filled_;
  const std::uint64_t left = at < end_ ? end_ - at : 0;
  const std::size_t want =
      static_cast<std::size_t>(std::min<std::uint64_t>(left, buffer_.size() - filled_));
  if (want == 0) return std::size_t{0};
  TRY_ASSIGN(const std::size_t got, bytes_.ReadAt(at, {buffer_.data() + filled_, want}));
  filled_ += got;
  return got;
}

Result<std::optional<ScannedLine>> LineScanner::Next() {
  if (done_) return std::optional<ScannedLine>();
  std::size_t looked = 0;
  while (true) {
    const std::string_view rest(buffer_.data() + begin_, filled_ - begin_);
    const std::size_t newline = rest.find('\n', looked);
    ScannedLine line{rest, offset_, LineEnding::kNewline};
    if (newline != std::string_view::npos) {
      line.text = rest.substr(0, newline);
      begin_ += newline + 1;
      offset_ += newline + 1;
      return std::optional(line);
    }
    if (rest.size() > kMaxLine) {
      done_ = true;
      line.ending = LineEnding::kTooLong;
      return std::optional(line);
    }
    looked = rest.size();
    TRY_ASSIGN(const std::size_t got, Fill());
    if (got > 0) continue;
    done_ = true;
    if (looked == 0) return std::optional<ScannedLine>();
    line.text = {buffer_.data() + begin_, looked};  // Fill may have moved it
    line.ending = LineEnding::kEndOfFile;
    return std::optional(line);
  }
}

Result<ChainEnd> FollowChain(const LogBytes& bytes, std::uint64_t end, HmacSha256& mac,
                             HeadState& state) {
  LineScanner lines(bytes, state.offset, end);
  while (true) {
    TRY_ASSIGN(const auto line, lines.Next());
    if (!line) return ChainEnd::kEndOfFile;
    if (line->ending == LineEnding::kEndOfFile) return ChainEnd::kUnfinished;
    const auto frame = ReadFrame(line->text);
    if (line->ending == LineEnding::kTooLong || !frame || !IsAuthentic(*frame, mac)) {
      return ChainEnd::kNoRecord;
    }
    if (frame->seq != state.seq + 1 || frame->prev != state.hash) return ChainEnd::kOther;
    state.seq = frame->seq;
    state.hash = frame->hash;
    state.offset = line->offset + line->text.size() + 1;
  }
}

}  // namespace cordon::audit
