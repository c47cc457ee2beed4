#include "net/egress_socks.h"

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/read.hpp>
#include <span>
#include <utility>

#include "net/egress_tunnel.h"

namespace cordon::net {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;

constexpr std::uint8_t kVersion = 5;
constexpr std::uint8_t kNoAuthentication = 0;
constexpr std::uint8_t kNoMethod = 0xff;
constexpr std::uint8_t kConnect = 1;
constexpr std::uint8_t kAddress4 = 1;
constexpr std::uint8_t kName = 3;
constexpr std::uint8_t kAddress6 = 4;

constexpr std::uint8_t kSucceeded = 0;
constexpr std::uint8_t kFailed = 1;
constexpr std::uint8_t kNotAllowed = 2;
constexpr std::uint8_t kNetworkUnreachable = 3;
constexpr std::uint8_t kHostUnreachable = 4;
constexpr std::uint8_t kConnectionRefused = 5;
constexpr std::uint8_t kNoSuchCommand = 7;
constexpr std::uint8_t kNoSuchAddressType = 8;

// From which address the proxy connects is nobody's business inside: 0.0.0.0:0.
std::string Reply(std::uint8_t code) {
  const std::array<std::uint8_t, 10> bytes = {kVersion, code, 0, kAddress4};
  return {bytes.begin(), bytes.end()};
}

std::uint8_t CodeOf(const DialResult& result) {
  switch (result.kind) {
    case DialResult::Kind::kConnected: return kSucceeded;
    case DialResult::Kind::kRefused: return kNotAllowed;
    case DialResult::Kind::kNotFound:
    case DialResult::Kind::kTimeout: return kHostUnreachable;
    case DialResult::Kind::kUnreachable:
      if (result.failed == asio::error::connection_refused) return kConnectionRefused;
      return result.failed == asio::error::network_unreachable ? kNetworkUnreachable
                                                               : kHostUnreachable;
    case DialResult::Kind::kBusy: break;
  }
  return kFailed;
}

}  // namespace

void EgressSocks::Begin() {
  Arm(core_.limits.head_time);
  Read(2, &EgressSocks::OnGreeting);
}

void EgressSocks::OnClose() {
  if (dial_) dial_->Cancel();
  dial_.reset();
}

void EgressSocks::Read(std::size_t size, void (EgressSocks::*then)()) {
  asio::async_read(client_, asio::buffer(bytes_.data(), size),
                   Handler(*this, [then](EgressSocks& self, const error_code& failed, std::size_t) {
                     if (failed) return self.Close();
                     (self.*then)();
                   }));
}

void EgressSocks::OnGreeting() {
  if (bytes_[0] != kVersion || bytes_[1] == 0) {
    TellMalformed(core_, EgressProtocol::kSocks5, "this is not SOCKS5");
    return Close();
  }
  name_size_ = bytes_[1];
  Read(name_size_, &EgressSocks::OnMethods);
}

void EgressSocks::OnMethods() {
  const auto offered = std::span(bytes_).first(name_size_);
  const bool open = std::find(offered.begin(), offered.end(), kNoAuthentication) != offered.end();
  const std::string answer = {static_cast<char>(kVersion),
                              static_cast<char>(open ? kNoAuthentication : kNoMethod)};
  if (!open) {
    TellMalformed(core_, EgressProtocol::kSocks5, "the client insists on authentication");
    return Say(answer, [this] { Farewell(); });
  }
  Say(answer, [this] { Read(4, &EgressSocks::OnRequest); });
}

void EgressSocks::OnRequest() {
  const auto [version, command, reserved, type] =
      std::array{bytes_[0], bytes_[1], bytes_[2], bytes_[3]};
  if (version != kVersion || reserved != 0) return Malformed(kFailed, "this is not SOCKS5");
  if (command != kConnect) return Malformed(kNoSuchCommand, "there is no command but CONNECT");
  switch (type) {
    case kAddress4: return Read(4 + 2, &EgressSocks::OnAddress4);
    case kName: return Read(1, &EgressSocks::OnNameLength);
    case kAddress6: return Read(16 + 2, &EgressSocks::OnAddress6);
    default: return Malformed(kNoSuchAddressType, "an unknown type of address");
  }
}

void EgressSocks::OnNameLength() {
  name_size_ = bytes_[0];
  Read(name_size_ + 2, &EgressSocks::OnName);
}

// Whatever the bytes are: NULs and all else that is in no name are for the rules to refuse.
void EgressSocks::OnName() {
  const auto name = std::span(bytes_).first(name_size_);
  Dial(std::string(name.begin(), name.end()), name_size_);
}

void EgressSocks::OnAddress4() {
  Dial(policy::AddressText(policy::IpAddress::V4(bytes_[0], bytes_[1], bytes_[2], bytes_[3])), 4);
}

void EgressSocks::OnAddress6() {
  Dial(policy::AddressText(policy::IpAddress::V6(std::span(bytes_).first<16>())), 16);
}

void EgressSocks::Dial(std::string host, std::size_t port_at) {
  const auto port = static_cast<std::uint16_t>(bytes_[port_at] << 8 | bytes_[port_at + 1]);
  Arm(core_.limits.connect_time * 3);  // more than it can take
  dial_ = std::make_shared<EgressDial>(
      core_, EgressDial::Order{EgressProtocol::kSocks5, std::move(host), port});
  // This is there as long as `dial_` is not cancelled.
  dial_->Begin([this](DialResult result) {
    const auto self = shared_from_this();
    OnDialed(std::move(result));
  });
}

void EgressSocks::OnDialed(DialResult result) {
  const std::uint8_t code = CodeOf(result);
  if (code != kSucceeded) return Refuse(code);
  // Shared, because what is said later must be copyable.
  const auto kept = std::make_shared<DialResult>(std::move(result));
  Say(Reply(kSucceeded), [this, kept] {
    const auto tunnel = std::make_shared<EgressTunnel>(
        core_, EgressTunnel::Ends{std::move(client_), std::move(kept->socket), {}},
        std::move(kept->record));
    Close();
    Welcome(tunnel);
  });
}

void EgressSocks::Refuse(std::uint8_t code) {
  Arm(core_.limits.head_time);
  Say(Reply(code), [this] { Farewell(); });
}

void EgressSocks::Malformed(std::uint8_t code, std::string_view why) {
  TellMalformed(core_, EgressProtocol::kSocks5, why);
  Refuse(code);
}

}  // namespace cordon::net
