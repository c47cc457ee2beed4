#include "remote/url_text.h"

namespace cordon::remote {
namespace {

std::string Escaped(std::string_view bytes, std::string_view kept) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string text;
  for (const char c : bytes) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
                       kept.find(c) != std::string_view::npos;
    if (plain) {
      text += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    text += '%';
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

}  // namespace

std::string UrlPath(std::string_view bytes) { return Escaped(bytes, "-._~/"); }
std::string UrlValue(std::string_view bytes) { return Escaped(bytes, "-._~"); }

}  // namespace cordon::remote
