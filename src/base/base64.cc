#include "base/base64.h"

#include <openssl/evp.h>

#include <climits>
#include <stdexcept>

namespace cordon {
namespace {

const unsigned char* Bytes(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

int CheckedSize(std::string_view text) {
  if (text.size() > INT_MAX / 2) throw std::length_error("too long for base64");
  return static_cast<int>(text.size());
}

}  // namespace

std::string Base64Encode(std::string_view bytes) {
  std::string text(Base64Room(bytes.size()), '\0');
  Base64Encode(bytes, text.data());
  text.pop_back();
  return text;
}

// The library adds a zero.
void Base64Encode(std::string_view bytes, char* text) {
  static_cast<void>(
      EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text), Bytes(bytes), CheckedSize(bytes)));
}

std::optional<std::string> Base64Decode(std::string_view text) {
  constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  if (text.size() % 4 != 0) return std::nullopt;
  std::size_t padding = 0;
  while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=') ++padding;
  // The library forgives white space and more.
  if (text.substr(0, text.size() - padding).find_first_not_of(kAlphabet) != text.npos) {
    return std::nullopt;
  }
  std::string bytes(text.size() / 4 * 3, '\0');
  if (EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()), Bytes(text),
                      CheckedSize(text)) < 0) {
    return std::nullopt;
  }
  bytes.resize(bytes.size() - padding);
  return bytes;
}

}  // namespace cordon
