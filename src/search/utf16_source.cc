#include "search/utf16_source.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "base/try.h"

namespace cordon::search {
namespace {

constexpr std::size_t kRawBlock = 64 * 1024;
constexpr char32_t kReplacement = 0xFFFD;

bool IsHigh(char16_t unit) { return unit >= 0xD800 && unit <= 0xDBFF; }
bool IsLow(char16_t unit) { return unit >= 0xDC00 && unit <= 0xDFFF; }

void AppendUtf8(std::string& text, char32_t c) {
  const auto put = [&](std::uint32_t byte) { text += static_cast<char>(byte); };
  if (c < 0x80) {
    put(c);
  } else if (c < 0x800) {
    put(0xC0U | (c >> 6U));
    put(0x80U | (c & 0x3FU));
  } else if (c < 0x10000) {
    put(0xE0U | (c >> 12U));
    put(0x80U | ((c >> 6U) & 0x3FU));
    put(0x80U | (c & 0x3FU));
  } else {
    put(0xF0U | (c >> 18U));
    put(0x80U | ((c >> 12U) & 0x3FU));
    put(0x80U | ((c >> 6U) & 0x3FU));
    put(0x80U | (c & 0x3FU));
  }
}

}  // namespace

ByteOrder ByteOrderOf(std::string_view text) {
  if (text.starts_with(kUtf8Mark)) return ByteOrder::kUtf8;
  if (text.starts_with("\xFF\xFE")) return ByteOrder::kUtf16Little;
  if (text.starts_with("\xFE\xFF")) return ByteOrder::kUtf16Big;
  return ByteOrder::kNone;
}

Utf16Source::Utf16Source(ByteSource& rest, ByteOrder order, std::string_view begun)
    : rest_(rest), order_(order), raw_(begun.begin() + 2, begun.end()) {}

std::optional<char16_t> Utf16Source::NextUnit() {
  if (raw_.size() - raw_at_ < 2) return std::nullopt;
  const auto first = static_cast<unsigned char>(raw_[raw_at_]);
  const auto second = static_cast<unsigned char>(raw_[raw_at_ + 1]);
  raw_at_ += 2;
  return static_cast<char16_t>(order_ == ByteOrder::kUtf16Little ? first | (second << 8U)
                                                                 : (first << 8U) | second);
}

void Utf16Source::Decode() {
  while (const auto unit = NextUnit()) {
    if (high_ && IsLow(*unit)) {
      AppendUtf8(ready_, 0x10000U + ((static_cast<char32_t>(*high_) - 0xD800U) << 10U) +
                             (static_cast<char32_t>(*unit) - 0xDC00U));
      high_.reset();
      continue;
    }
    if (high_) AppendUtf8(ready_, kReplacement);
    high_.reset();
    if (IsHigh(*unit)) {
      high_ = unit;
    } else {
      AppendUtf8(ready_, IsLow(*unit) ? kReplacement : *unit);
    }
  }
}

Status Utf16Source::ReadMore() {
  ready_.clear();
  ready_at_ = 0;
  Decode();
  if (!ready_.empty() || raw_ended_) return {};
  const std::size_t left = raw_.size() - raw_at_;
  std::memmove(raw_.data(), raw_.data() + raw_at_, left);
  raw_.resize(left + kRawBlock);
  raw_at_ = 0;
  TRY_ASSIGN(const std::size_t count, rest_.Fill(std::span<char>(raw_.data() + left, kRawBlock)));
  raw_.resize(left + count);
  raw_ended_ = count < kRawBlock;
  Decode();
  if (raw_ended_ && (high_ || raw_at_ < raw_.size())) {
    AppendUtf8(ready_, kReplacement);  // half a character
    high_.reset();
    raw_at_ = raw_.size();
  }
  return {};
}

Result<std::size_t> Utf16Source::Fill(std::span<char> buffer) {
  std::size_t filled = 0;
  while (filled < buffer.size()) {
    if (ready_at_ == ready_.size()) {
      TRY(ReadMore());
      if (ready_.empty()) return filled;
    }
    const std::size_t count = std::min(buffer.size() - filled, ready_.size() - ready_at_);
    std::memcpy(buffer.data() + filled, ready_.data() + ready_at_, count);
    ready_at_ += count;
    filled += count;
  }
  return filled;
}

}  // namespace cordon::search
