#include <charconv>

#include "net/http_server.h"

namespace cordon::net {
namespace {

constexpr std::string_view kUnix = "unix:";
constexpr std::string_view kLoopback = "127.0.0.1";

Error NoAddress(std::string_view text) {
  Error error;
  error.code = ErrorCode::kInvalidArguments;
  error.op = "address";
  error.component = std::string(text);
  error.detail = "an address is HOST:PORT, [IPv6]:PORT, :PORT or unix:PATH";
  return error;
}

}  // namespace

Result<HttpAddress> ParseHttpAddress(std::string_view text) {
  HttpAddress address;
  if (text.starts_with(kUnix)) {
    address.unix_socket = std::string(text.substr(kUnix.size()));
    if (address.unix_socket.empty() || address.unix_socket.find('\0') != std::string::npos) {
      return NoAddress(text);
    }
    return address;
  }
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return NoAddress(text);
  std::string_view host = text.substr(0, colon);
  const std::string_view port = text.substr(colon + 1);
  const auto [end, failed] = std::from_chars(port.data(), port.data() + port.size(), address.port);
  if (failed != std::errc() || end != port.data() + port.size()) return NoAddress(text);
  if (host.starts_with('[') && host.ends_with(']') && host.size() > 2) {
    host = host.substr(1, host.size() - 2);
    if (host.find(':') == std::string_view::npos) return NoAddress(text);
  } else if (host.find_first_of("[]:") != std::string_view::npos) {
    return NoAddress(text);
  }
  address.host = std::string(host.empty() ? kLoopback : host);
  return address;
}

}  // namespace cordon::net
