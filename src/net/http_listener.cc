#include "net/http_listener.h"

#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>

#include "base/try.h"
#include "platform/file_io.h"
#include "platform/local_socket.h"

namespace cordon::net {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using Protocol = asio::generic::stream_protocol;

constexpr int kBacklog = 1024;
constexpr std::uint32_t kSocketMode = 0600;
constexpr std::uint32_t kRoot = 0;  // may come in anywhere

Error NotListening(ErrorCode code, std::string detail, std::string component) {
  Error error;
  error.code = code;
  error.op = "listen";
  error.component = std::move(component);
  error.detail = std::move(detail);
  return error;
}

}  // namespace

Status HttpListener::Listen(const HttpAddress& address) {
  return address.unix_socket.empty() ? ListenTcp(address) : ListenLocal(address.unix_socket);
}

Status HttpListener::ListenTcp(const HttpAddress& address) {
  error_code failed;
  const asio::ip::address host =
      asio::ip::make_address(address.host == "localhost" ? "127.0.0.1" : address.host, failed);
  if (failed) {
    return NotListening(ErrorCode::kInvalidArguments, "this is no address of a network interface",
                        address.host);
  }
  if (!host.is_loopback() && address.reach == HttpAddress::Reach::kLoopback) {
    return NotListening(
        ErrorCode::kInvalidArguments,
        "others could reach this address; take 127.0.0.1, or the flag that lets them (--help)",
        address.host);
  }
  const auto version = host.is_v6() ? platform::IpVersion::k6 : platform::IpVersion::k4;
  // Not the library's own: programs that are started would inherit it.
  TRY_ASSIGN(platform::UniqueFd opened, platform::OpenTcpSocket(version));
  kind_ = host.is_v6() ? HttpConnection::Kind::kTcp6 : HttpConnection::Kind::kTcp4;
  acceptor_.assign(Protocol(host.is_v6() ? asio::ip::tcp::v6() : asio::ip::tcp::v4()), opened.get(),
                   failed);
  if (!failed) {
    static_cast<void>(opened.release());
    acceptor_.set_option(asio::socket_base::reuse_address(true), failed);
  }
  if (!failed) acceptor_.bind(asio::ip::tcp::endpoint(host, address.port), failed);
  if (!failed) acceptor_.listen(kBacklog, failed);
  if (failed) return NotListening(ErrorCode::kIoError, failed.message(), address.host);
  Protocol::endpoint bound = acceptor_.local_endpoint(failed);
  if (failed) return NotListening(ErrorCode::kIoError, failed.message(), address.host);
  asio::ip::tcp::endpoint endpoint;
  if (bound.size() > endpoint.capacity()) {
    return NotListening(ErrorCode::kIoError, "an address of another kind", address.host);
  }
  endpoint.resize(bound.size());
  std::copy_n(reinterpret_cast<const char*>(bound.data()), bound.size(),
              reinterpret_cast<char*>(endpoint.data()));
  port_ = endpoint.port();
  const std::string text = host.to_string();
  address_ = (host.is_v6() ? "[" + text + "]" : text) + ":" + std::to_string(port_);
  return {};
}

Status HttpListener::ListenLocal(const std::string& path) {
  TRY_ASSIGN(const std::string first, local_.Prepare(path));
  TRY_ASSIGN(platform::UniqueFd opened, platform::OpenLocalSocket());
  // Before it has a name: what bind makes takes its mode from here.
  TRY(platform::SetMode(opened.get(), kSocketMode));
  error_code failed;
  kind_ = HttpConnection::Kind::kLocal;
  acceptor_.assign(Protocol(asio::local::stream_protocol()), opened.get(), failed);
  if (!failed) {
    static_cast<void>(opened.release());
    acceptor_.bind(asio::local::stream_protocol::endpoint(first), failed);
  }
  if (!failed) acceptor_.listen(kBacklog, failed);
  if (failed) return NotListening(ErrorCode::kIoError, failed.message(), path);
  address_ = path;
  return local_.Publish();
}

Result<platform::UniqueFd> HttpListener::Accept() {
  TRY_ASSIGN(platform::UniqueFd next, platform::AcceptConnection(acceptor_.native_handle()));
  if (kind_ == HttpConnection::Kind::kLocal) {
    const auto theirs = platform::PeerUser(next.get());
    const auto ours = platform::OwnUser();
    if (!theirs || !ours || (*theirs != *ours && *theirs != kRoot)) return platform::UniqueFd();
  }
  return next;
}

}  // namespace cordon::net
