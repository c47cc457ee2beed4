#include "preview/ports.h"

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

#include "base/sha256.h"
#include "base/try.h"
#include "platform/local_socket.h"

namespace cordon::preview {
namespace {

namespace asio = boost::asio;

constexpr int kBacklog = 128;

Error NotBound(ErrorCode code, std::string detail) {
  Error error;
  error.code = code;
  error.op = "listen";
  error.detail = std::move(detail);
  return error;
}

// Errors: kAlreadyExists when another program has it.
Result<platform::UniqueFd> Listen(std::uint16_t port) {
  TRY_ASSIGN(platform::UniqueFd opened, platform::OpenTcpSocket(platform::IpVersion::k4));
  asio::io_context unused;
  asio::ip::tcp::acceptor acceptor(unused);
  boost::system::error_code failed;
  acceptor.assign(asio::ip::tcp::v4(), opened.get(), failed);
  if (failed) return NotBound(ErrorCode::kIoError, failed.message());
  static_cast<void>(opened.release());
  // A port from which connections were made a moment ago is free; one that is listened on is not.
  acceptor.set_option(asio::socket_base::reuse_address(true), failed);
  if (!failed) acceptor.bind({asio::ip::address_v4::loopback(), port}, failed);
  if (!failed) acceptor.listen(kBacklog, failed);
  if (failed == asio::error::address_in_use || failed == asio::error::access_denied) {
    return NotBound(ErrorCode::kAlreadyExists, failed.message());
  }
  if (failed) return NotBound(ErrorCode::kIoError, failed.message());
  const int released = acceptor.release(failed);
  if (failed) return NotBound(ErrorCode::kIoError, failed.message());
  return platform::UniqueFd(released);
}

}  // namespace

std::uint16_t FirstChoice(const SandboxId& id, const PortRange& range) {
  const Digest digest = Sha256(id.text());
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < sizeof number; ++i) number = (number << 8U) | digest.at(i);
  const std::uint64_t size = std::uint64_t{range.last} - range.first + 1;
  return static_cast<std::uint16_t>(range.first + number % size);
}

std::vector<std::uint16_t> Ports::Candidates(const SandboxId& id) const {
  std::vector<std::uint16_t> all;
  const std::uint32_t size = std::uint32_t{range_.last} - range_.first + 1;
  const std::uint32_t begin = FirstChoice(id, range_) - range_.first;
  all.reserve(size);
  for (std::uint32_t i = 0; i < size; ++i) {
    all.push_back(static_cast<std::uint16_t>(range_.first + (begin + i) % size));
  }
  return all;
}

Result<Ports::Reserved> Ports::Reserve(const SandboxId& id) {
  std::vector<std::uint16_t> candidates = Candidates(id);
  while (true) {
    TRY_ASSIGN(const std::uint16_t port, store_->ReservePort(id, candidates));
    const bool in_range = port >= range_.first && port <= range_.last;
    auto listener = in_range ? Listen(port)
                             : Result<platform::UniqueFd>(
                                   NotBound(ErrorCode::kAlreadyExists, "of an earlier range"));
    if (listener) return Reserved{port, std::move(*listener)};
    // Whatever is wrong with it, nobody is kept from it who could have it.
    TRY(store_->ReleasePort(id));
    if (listener.error().code != ErrorCode::kAlreadyExists) return listener.error();
    candidates.erase(std::remove(candidates.begin(), candidates.end(), port), candidates.end());
  }
}

}  // namespace cordon::preview
