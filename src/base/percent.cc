#include "base/percent.h"

#include <cctype>

#include "base/unicode.h"

namespace cordon {
namespace {

constexpr std::string_view kHex = "0123456789ABCDEF";

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

std::string PercentEncode(std::string_view bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes.size();) {
    const auto byte = static_cast<unsigned char>(bytes[i]);
    const unicode::Decoded decoded = unicode::DecodeFirst(bytes.substr(i));
    if (!decoded.valid || byte == '%' || byte < 0x20 || byte == 0x7f) {
      AppendEncoded(text, byte);
      ++i;
    } else {
      text += bytes.substr(i, decoded.length);
      i += decoded.length;
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
      error.op = "percent";
      error.component = std::string(text.substr(i, 3));
      error.detail = "\"%\" must be followed by two hexadecimal digits";
      return error;
    }
    bytes += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return bytes;
}

}  // namespace cordon
