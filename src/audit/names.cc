#include "audit/names.h"

#include <array>
#include <optional>

#include "base/unicode.h"

namespace cordon::audit {
namespace {

constexpr std::string_view kUpperHex = "0123456789ABCDEF";

// ASCII that stands for itself: nearly every byte of nearly every name.
constexpr std::array<bool, 256> kPlain = [] {
  std::array<bool, 256> plain{};
  for (std::size_t c = 0x20; c < 0x7F; ++c) plain[c] = c != '"' && c != '\\' && c != '%';
  return plain;
}();

std::size_t PlainLength(std::string_view bytes) {
  std::size_t length = 0;
  while (length < bytes.size() && kPlain[static_cast<unsigned char>(bytes[length])]) ++length;
  return length;
}

std::optional<unsigned> DigitOf(char c) {
  const std::size_t value = kUpperHex.find(c);
  if (value == std::string_view::npos) return std::nullopt;
  return static_cast<unsigned>(value);
}

Error NotEncoded() {
  Error error;
  error.code = ErrorCode::kInvalidArguments;
  error.op = "decode";
  error.detail = "a % is not followed by two upper-case hexadecimal digits";
  return error;
}

}  // namespace

void AppendEncoded(std::string& text, std::string_view bytes) {
  while (true) {
    const std::size_t plain = PlainLength(bytes);
    text.append(bytes.substr(0, plain));
    bytes.remove_prefix(plain);
    if (bytes.empty()) return;
    const unicode::Decoded next = unicode::DecodeFirst(bytes);
    const std::string_view piece = bytes.substr(0, next.length);
    if (next.valid && next.length > 1 && unicode::ShowsAsItself(next.code_point)) {
      text.append(piece);
    } else {
      for (const char c : piece) {
        const auto byte = static_cast<unsigned char>(c);
        text += '%';
        text += kUpperHex[byte >> 4];
        text += kUpperHex[byte & 15];
      }
    }
    bytes.remove_prefix(next.length);
  }
}

Result<std::string> DecodeName(std::string_view text) {
  std::string bytes;
  bytes.reserve(text.size());
  while (!text.empty()) {
    if (text.front() != '%') {
      bytes += text.front();
      text.remove_prefix(1);
      continue;
    }
    if (text.size() < 3) return NotEncoded();
    const auto high = DigitOf(text[1]);
    const auto low = DigitOf(text[2]);
    if (!high || !low) return NotEncoded();
    bytes += static_cast<char>(*high << 4 | *low);
    text.remove_prefix(3);
  }
  return bytes;
}

}  // namespace cordon::audit
