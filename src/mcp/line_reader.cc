#include "mcp/line_reader.h"

#include <algorithm>

#include "base/try.h"

namespace cordon::mcp {
namespace {

constexpr std::size_t kPiece = std::size_t{64} << 10;
// A buffer that one long line has made bigger than this is given back.
constexpr std::size_t kKept = std::size_t{1} << 20;

}  // namespace

Result<std::size_t> LineReader::Fill() {
  if (ended_) return std::size_t{0};
  if (begin_ == end_) {
    begin_ = seen_ = end_ = 0;
    if (buffer_.size() > kKept) buffer_ = std::string();
  } else if (begin_ > 0 && end_ == buffer_.size()) {
    buffer_.erase(0, begin_);
    seen_ -= begin_;
    end_ -= begin_;
    begin_ = 0;
  }
  if (end_ == buffer_.size()) buffer_.resize(std::max(kPiece, buffer_.size() * 2));
  TRY_ASSIGN(const std::size_t got, stream_.Read({buffer_.data() + end_, buffer_.size() - end_}));
  end_ += got;
  ended_ = got == 0;
  return got;
}

bool LineReader::SeesEnd() {
  const std::size_t end = std::string_view(buffer_.data(), end_).find('\n', seen_);
  // What was looked at need not be looked at again.
  seen_ = end == std::string_view::npos ? end_ : end;
  return end != std::string_view::npos;
}

bool LineReader::HasNext() {
  if (SeesEnd()) return true;
  if (ended_ || !stream_.HasInput()) return false;
  const auto got = Fill();  // what fails here fails again in Next, which tells it
  return got && *got > 0 && SeesEnd();
}

Result<LineReader::Outcome> LineReader::Next(std::string& line) {
  bool skipping = false;
  for (;;) {
    const std::string_view held(buffer_.data(), end_);
    const std::size_t end = held.find('\n', seen_);
    if (end != std::string_view::npos) {
      const bool too_long = skipping || end - begin_ > longest_;
      if (!too_long) line.assign(held.substr(begin_, end - begin_));
      begin_ = seen_ = end + 1;
      if (!too_long && !line.empty() && line.back() == '\r') line.pop_back();
      return too_long ? Outcome::kTooLong : Outcome::kLine;
    }
    seen_ = end_;
    if (skipping || end_ - begin_ > longest_) {
      skipping = true;
      begin_ = end_;
    }
    TRY_ASSIGN(const std::size_t got, Fill());
    if (got == 0) return Outcome::kEnd;
  }
}

}  // namespace cordon::mcp
