#include "cli/byte_text.h"

#include <utf8proc.h>

#include <cctype>

namespace cordon::cli {
namespace {

constexpr std::string_view kHex = "0123456789ABCDEF";

// How many bytes the character at `position` has; 0 if it is not one.
std::size_t CharacterAt(std::string_view bytes, std::size_t position) {
  utf8proc_int32_t code_point = -1;
  const utf8proc_ssize_t length =
      utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(bytes.data()) + position,
                       static_cast<utf8proc_ssize_t>(bytes.size() - position), &code_point);
  return length > 0 && code_point >= 0 ? static_cast<std::size_t>(length) : 0;
}

void AppendEncoded(std::string& text, unsigned char byte) {
  text += '%';
  text += kHex[byte >> 4];
  text += kHex[byte & 15];
}

int HexValue(char digit) {
  const std::size_t value = kHex.find(static_cast<char>(std::toupper(digit & 0x7f)));
  return (digit & 0x80) != 0 || value == std::string_view::npos ? -1 : static_cast<int>(value);
}

}  // namespace

bool IsUtf8(std::string_view bytes) {
  for (std::size_t i = 0; i < bytes.size();) {
    const std::size_t length = CharacterAt(bytes, i);
    if (length == 0) return false;
    i += length;
  }
  return true;
}

std::string PercentEncode(std::string_view bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes.size();) {
    const auto byte = static_cast<unsigned char>(bytes[i]);
    const std::size_t length = CharacterAt(bytes, i);
    if (length == 0 || byte == '%' || byte < 0x20 || byte == 0x7f) {
      AppendEncoded(text, byte);
      ++i;
    } else {
      text += bytes.substr(i, length);
      i += length;
    }
  }
  return text;
}

Result<std::string> PercentDecode(std::string_view text) {
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      bytes += text[i];
      continue;
    }
    const int high = i + 2 < text.size() ? HexValue(text[i + 1]) : -1;
    const int low = high >= 0 ? HexValue(text[i + 2]) : -1;
    if (low < 0) {
      Error error;
      error.code = ErrorCode::kInvalidArguments;
      error.op = "arguments";
      error.component = std::string(text.substr(i, 3));
      error.detail =
          "--percent: \"%\" must be followed by two hexadecimal digits; a percent sign "
          "itself is written %25";
      return error;
    }
    bytes += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return bytes;
}

}  // namespace cordon::cli
