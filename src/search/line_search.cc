#include "search/line_search.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/try.h"
#include "search/byte_scan.h"
#include "search/utf16_source.h"

namespace cordon::search {
namespace {

constexpr std::size_t npos = std::string_view::npos;
// As ripgrep's: where a binary file's text ends being told depends on it.
constexpr std::size_t kFirstBuffer = 64 * 1024;
// For the hits of one file, kept for the next.
constexpr std::size_t kMostRoom = 1024 * 1024;
// Most files that are binary show it here.
constexpr std::size_t kFirstLook = 4 * 1024;

std::size_t AfterLine(std::string_view text, std::size_t at) {
  const std::size_t newline = text.find('\n', at);
  return newline == npos ? text.size() : newline + 1;
}

std::size_t LineBegin(std::string_view text, std::size_t at, std::size_t lowest) {
  const void* found = at == lowest ? nullptr : ::memrchr(text.data() + lowest, '\n', at - lowest);
  if (found == nullptr) return lowest;
  return static_cast<std::size_t>(static_cast<const char*>(found) - text.data()) + 1;
}

std::string_view WithoutEnd(std::string_view line) {
  if (line.ends_with('\n')) line.remove_suffix(1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

// How many bytes `most` characters take, at most.
std::size_t BytesOf(std::string_view line, std::size_t most) {
  if (line.size() <= most) return line.size();
  std::size_t characters = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const bool begins = (static_cast<unsigned char>(line[i]) & 0xC0U) != 0x80U;
    if (begins && characters++ == most) return i;
  }
  return line.size();
}

}  // namespace

LineSearch::LineSearch(Matcher matcher, const LineTerms& terms)
    : matcher_(std::move(matcher)), terms_(terms), buffer_(kFirstBuffer) {}

Result<FileHits> LineSearch::Run(ByteSource& source) {
  Reset();
  TRY(Advance(source));
  const ByteOrder order = ByteOrderOf(text());
  if (order == ByteOrder::kUtf8) {
    end_ -= kUtf8Mark.size();
    std::memmove(buffer_.data(), buffer_.data() + kUtf8Mark.size(), end_);
  } else if (order != ByteOrder::kNone) {
    Utf16Source decoded(source, order, text());
    Reset();
    TRY(Advance(decoded));
    return Search(decoded);
  }
  return Search(source);
}

void LineSearch::Reset() {
  end_ = at_ = checked_ = told_ = counted_at_ = after_left_ = 0;
  counted_ = 1;
  ended_ = done_ = false;
  // The room stays, for the next file.
  hits_.text.clear();
  hits_.lines.clear();
  hits_.matches = 0;
  hits_.binary = hits_.more = hits_.overlong = false;
}

Result<FileHits> LineSearch::Search(ByteSource& source) {
  if (HasNul(std::min(end_, kFirstLook))) return Finish();
  if (matcher_.across() == AcrossLines::kYes) {
    while (!ended_) TRY(Advance(source));
    if (!HasNul(end_)) SearchSpans();
    return Finish();
  }
  while (true) {
    std::size_t region = end_;
    if (!ended_) {
      const std::size_t last = text().rfind('\n');
      region = last == npos ? 0 : last + 1;
      if (region <= at_) {  // one line that is longer than what was read
        if (HasNul(end_)) return Finish();
        if (end_ - at_ < kLongestLine) {
          TRY(Advance(source));
          continue;
        }
        hits_.overlong = ended_ = true;
        region = end_;
      }
    }
    SearchRegion(region);
    // A NUL in what was passed over matters to what follows.
    if (done_ || ended_ || HasNul(end_)) return Finish();
    at_ = region;
    TRY(Advance(source));
  }
}

FileHits LineSearch::Finish() {
  // A count that ends somewhere in a binary file says nothing.
  if (hits_.binary && terms_.wanted == Wanted::kCount) hits_.matches = 0;
  if (hits_.text.capacity() > kMostRoom) return std::exchange(hits_, {});
  return hits_;  // a copy, which takes no more room than it needs
}

// Drops what is not needed any more and reads on.
Status LineSearch::Advance(ByteSource& source) {
  const bool across = matcher_.across() == AcrossLines::kYes;
  std::size_t keep = across ? 0 : std::max(BackOver(terms_.before, at_), std::min(told_, at_));
  if (after_left_ > 0) keep = std::min(keep, told_);
  if (keep > 0) {
    if (terms_.wanted == Wanted::kLines) counted_ = NumberAt(keep);
    std::memmove(buffer_.data(), buffer_.data() + keep, end_ - keep);
    end_ -= keep;
    at_ -= keep;
    checked_ -= std::min(checked_, keep);
    told_ -= std::min(told_, keep);
    counted_at_ = 0;
  }
  if (end_ == buffer_.size()) {
    if (across && end_ >= kLongestLine) {
      hits_.overlong = true;
      ended_ = true;
      return {};
    }
    buffer_.resize(buffer_.size() * 2);
  }
  const std::span<char> room(buffer_.data() + end_, buffer_.size() - end_);
  TRY_ASSIGN(const std::size_t count, source.Fill(room));
  end_ += count;
  if (count < room.size()) ended_ = true;
  return {};
}

// Whether there is a NUL before `upto`; then nothing more is told.
bool LineSearch::HasNul(std::size_t upto) {
  if (checked_ >= upto) return false;
  const void* nul = std::memchr(buffer_.data() + checked_, 0, upto - checked_);
  checked_ = upto;
  if (nul == nullptr) return false;
  hits_.binary = done_ = true;
  return true;
}

void LineSearch::SearchRegion(std::size_t region) {
  while (at_ < region) {
    const std::size_t hit = matcher_.FindLine(text().substr(0, region), at_);
    if (hit == npos) break;
    if (HasNul(end_)) return;
    const std::size_t begin = LineBegin(text(), hit, at_);
    const std::size_t end = AfterLine(text().substr(0, region), hit);
    Match(begin, end);
    if (done_) return;
    at_ = end;
  }
  if (after_left_ > 0) {
    if (HasNul(end_)) return;
    TellAfter(region);
  }
  if (hits_.matches >= terms_.max_matches && after_left_ == 0) hits_.more = done_ = true;
}

void LineSearch::SearchSpans() {
  std::size_t from = 0;
  while (!done_ && from <= end_) {
    const auto span = matcher_.FindSpan(text(), from);
    if (!span) break;
    if (span->begin >= end_ && (end_ == 0 || buffer_[end_ - 1] == '\n')) break;
    const std::size_t begin = LineBegin(text(), span->begin, 0);
    const std::size_t last = span->end > span->begin ? span->end - 1 : span->begin;
    const std::size_t end = AfterLine(text(), std::min(last, end_));
    // Every line the match touches, once.
    for (std::size_t line = std::max(begin, at_); line < end && !done_;) {
      const std::size_t next = AfterLine(text(), line);
      Match(line, next);
      line = at_ = next;
    }
    from = std::max(span->end, span->begin + 1);
  }
  TellAfter(end_);
}

void LineSearch::Match(std::size_t begin, std::size_t end) {
  if (hits_.matches >= terms_.max_matches) {
    // Only context was still wanted; here it ends.
    TellAfter(begin);
    after_left_ = 0;
    hits_.more = done_ = true;
    return;
  }
  ++hits_.matches;
  if (terms_.wanted == Wanted::kFirstMatch) {
    done_ = true;
    return;
  }
  if (terms_.wanted == Wanted::kCount) return;
  TellAfter(begin);
  if (terms_.before > 0) {
    std::size_t line = std::max(BackOver(terms_.before, begin), told_);
    while (line < begin) {
      const std::size_t next = AfterLine(text(), line);
      Tell(line, next, ToldLine::Kind::kContext);
      line = next;
    }
  }
  Tell(begin, end, ToldLine::Kind::kMatch);
  after_left_ = terms_.after;
  if (hits_.matches >= terms_.max_matches && after_left_ == 0) hits_.more = done_ = true;
}

// Context that is due after an earlier match, up to `upto`.
void LineSearch::TellAfter(std::size_t upto) {
  while (after_left_ > 0 && told_ < upto) {
    const std::size_t next = AfterLine(text(), told_);
    --after_left_;
    Tell(told_, next, ToldLine::Kind::kContext);
  }
}

void LineSearch::Tell(std::size_t begin, std::size_t end, ToldLine::Kind kind) {
  const std::string_view line = WithoutEnd(text().substr(begin, end - begin));
  const std::size_t size = BytesOf(line, terms_.max_characters);
  ToldLine told;
  told.number = NumberAt(begin);
  told.begin = hits_.text.size();
  told.size = static_cast<std::uint32_t>(size);
  told.kind = kind;
  told.cut = size < line.size();
  hits_.text.append(line.substr(0, size));
  hits_.lines.push_back(told);
  told_ = end;
}

// The beginning of the line so many lines before the one that begins at `from`.
std::size_t LineSearch::BackOver(std::size_t lines, std::size_t from) const {
  while (lines-- > 0 && from > 0) from = LineBegin(text(), from - 1, 0);
  return from;
}

std::uint64_t LineSearch::NumberAt(std::size_t position) {
  if (position >= counted_at_) {
    counted_ += CountByte(text().substr(counted_at_, position - counted_at_), '\n');
  } else {
    counted_ -= CountByte(text().substr(position, counted_at_ - position), '\n');
  }
  counted_at_ = position;
  return counted_;
}

}  // namespace cordon::search
