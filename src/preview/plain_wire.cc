#include <algorithm>
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/ip/tcp.hpp>

#include "preview/wire.h"

namespace cordon::preview {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;

constexpr std::size_t kMostPieces = 16;

Wire::Moved Told(const error_code& failed, std::size_t count, Wire::State wait) {
  if (!failed) return {Wire::State::kMoved, count};
  if (failed == asio::error::would_block || failed == asio::error::try_again) return {wait, 0};
  if (failed == asio::error::eof) return {Wire::State::kEnded, 0};
  return {Wire::State::kBroken, 0};
}

class PlainWire final : public Wire {
 public:
  explicit PlainWire(Socket socket) : Wire(std::move(socket)) {
    error_code ignored;
    socket_.non_blocking(true, ignored);
    socket_.set_option(asio::ip::tcp::no_delay(true), ignored);
    socket_.set_option(asio::socket_base::keep_alive(true), ignored);
  }

  Moved Read(std::span<char> into) override {
    error_code failed;
    const std::size_t count = socket_.read_some(asio::buffer(into.data(), into.size()), failed);
    return Told(failed, count, State::kWantRead);
  }

  Moved Write(std::span<const std::string_view> pieces) override {
    std::array<asio::const_buffer, kMostPieces> buffers;
    const std::size_t count = std::min(pieces.size(), kMostPieces);
    for (std::size_t i = 0; i < count; ++i) {
      buffers.at(i) = asio::const_buffer(pieces[i].data(), pieces[i].size());
    }
    error_code failed;
    const std::size_t sent =
        socket_.write_some(std::span<const asio::const_buffer>(buffers.data(), count), failed);
    return Told(failed, sent, State::kWantWrite);
  }

  void Finish() override {
    error_code ignored;
    socket_.shutdown(Socket::shutdown_send, ignored);
  }
};

}  // namespace

std::unique_ptr<Wire> MakePlainWire(Wire::Socket socket) {
  return std::make_unique<PlainWire>(std::move(socket));
}

}  // namespace cordon::preview
