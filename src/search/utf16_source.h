// Text that begins with a byte order mark.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "search/byte_source.h"

namespace cordon::search {

enum class ByteOrder { kNone, kUtf8, kUtf16Little, kUtf16Big };
inline constexpr std::string_view kUtf8Mark = "\xEF\xBB\xBF";

// By the mark at the beginning of `text`.
ByteOrder ByteOrderOf(std::string_view text);

// Reads UTF-16 as UTF-8, without the mark. What is no character becomes U+FFFD.
class Utf16Source final : public ByteSource {
 public:
  // `begun` is what was read of `rest` already, mark included; it is copied.
  Utf16Source(ByteSource& rest, ByteOrder order, std::string_view begun);
  Result<std::size_t> Fill(std::span<char> buffer) override;

 private:
  Status ReadMore();
  std::optional<char16_t> NextUnit();
  void Decode();

  ByteSource& rest_;
  ByteOrder order_;
  std::vector<char> raw_;
  std::size_t raw_at_ = 0;
  bool raw_ended_ = false;
  std::optional<char16_t> high_;  // first half of a pair, waiting for the second
  std::string ready_;
  std::size_t ready_at_ = 0;
};

}  // namespace cordon::search
