#include "auth/bearer_header.h"

#include <algorithm>
#include <utility>

namespace cordon::auth {
namespace {

constexpr std::string_view kScheme = "bearer";

bool IsScheme(std::string_view text) {
  return std::equal(text.begin(), text.end(), kScheme.begin(), kScheme.end(), [](char a, char b) {
    return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
  });
}

bool IsTokenLetter(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
         (letter >= '0' && letter <= '9') ||
         std::string_view("-._~+/").find(letter) != std::string_view::npos;
}

}  // namespace

Error Refused(std::string detail) {
  Error error;
  error.code = ErrorCode::kPermissionDenied;
  error.op = "authorization";
  error.rule = "access";
  error.detail = std::move(detail);
  return error;
}

bool IsToken(std::string_view text) {
  const std::size_t end = text.find_last_not_of('=');
  if (end == std::string_view::npos) return false;
  return std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end) + 1,
                     IsTokenLetter);
}

Result<std::string_view> TokenOf(std::optional<std::string_view> header) {
  if (!header) return Refused("one bearer token is needed");
  const std::size_t blank = header->find(' ');
  if (blank == std::string_view::npos || !IsScheme(header->substr(0, blank))) {
    return Refused("one bearer token is needed");
  }
  const std::string_view rest = header->substr(blank);
  const std::string_view token = rest.substr(std::min(rest.find_first_not_of(' '), rest.size()));
  if (!IsToken(token)) return Refused("this is no bearer token");
  return token;
}

}  // namespace cordon::auth
