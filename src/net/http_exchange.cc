#include "net/http_exchange.h"

#include <algorithm>
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/http/read.hpp>
#include <charconv>
#include <utility>

#include "base/try.h"
#include "net/http_call_text.h"

namespace cordon::net {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using boost::system::error_code;
using Clock = std::chrono::steady_clock;

Error Failed(std::string_view op, const error_code& failed) {
  Error error;
  error.code = ErrorCode::kIoError;
  error.op = op;
  if (failed == asio::error::timed_out) {
    error.code = ErrorCode::kTimeout;
    error.detail = "The server took too long.";
  } else if (failed == http::error::header_limit || failed == http::error::body_limit ||
             failed == http::error::buffer_overflow) {
    error.code = ErrorCode::kTooLarge;
    error.detail = "The server's answer is larger than is taken.";
  } else if (failed.category() == boost::system::system_category()) {
    error.os_errno = failed.value();
    error.detail = failed.message();
  } else {
    error.detail = "The server's answer broke off, or is no HTTP: " + failed.message();
  }
  return error;
}

Result<asio::generic::stream_protocol::endpoint> Endpoint(const HttpPeer& peer) {
  Error error;
  error.code = ErrorCode::kInvalidArguments;
  error.op = "connect";
  if (!peer.unix_socket.empty()) {
    if (peer.unix_socket.size() < sizeof(sockaddr_un::sun_path)) {
      return asio::generic::stream_protocol::endpoint(
          asio::local::stream_protocol::endpoint(peer.unix_socket));
    }
    error.detail = "The socket's path is too long.";
    return error;
  }
  error_code bad;
  const std::string host = peer.host == "localhost" ? "127.0.0.1" : peer.host;
  const auto address = asio::ip::make_address(host, bad);
  if (!bad && address.is_loopback()) {
    return asio::generic::stream_protocol::endpoint(asio::ip::tcp::endpoint(address, peer.port));
  }
  error.detail = "Only loopback addresses are connected to.";
  return error;
}

}  // namespace

HttpExchange::HttpExchange(const HttpClientLimits& limits, Body body)
    : limits_(limits), body_(body) {
  buffer_.max_size(limits.head + kPiece);
  parser_.emplace();
  parser_->header_limit(static_cast<std::uint32_t>(limits.head));
  parser_->body_limit(body == Body::kStream ? boost::none
                                            : boost::optional<std::uint64_t>(limits.body));
}

template <typename Start>
HttpExchange::Failure HttpExchange::Run(std::chrono::milliseconds time, Start start) {
  Failure outcome = asio::error::timed_out;
  start([&outcome](const Failure& failed, auto&&...) { outcome = failed; });
  io_.restart();
  io_.run_for(time);
  if (!io_.stopped()) {
    Failure ignored;
    socket_.close(ignored);
    io_.run();  // so that nothing refers to this frame any more
    return asio::error::timed_out;
  }
  return outcome;
}

Status HttpExchange::Connect(const HttpPeer& peer) {
  TRY_ASSIGN(const auto endpoint, Endpoint(peer));
  const Failure failed = Run(limits_.connect_time,
                             [&](auto done) { socket_.async_connect(endpoint, std::move(done)); });
  if (failed) return Failed("connect", failed);
  return {};
}

HttpExchange::Failure HttpExchange::WriteAll(std::string_view bytes) {
  while (!bytes.empty()) {
    std::size_t count = 0;
    const Failure failed = Run(limits_.stall_time, [&](auto done) {
      socket_.async_write_some(asio::buffer(bytes.data(), bytes.size()),
                               [&count, done](const Failure& one, std::size_t some) mutable {
                                 count = some;
                                 done(one);
                               });
    });
    if (failed) return failed;
    bytes.remove_prefix(count);
  }
  return {};
}

Status HttpExchange::WriteCall(const HttpCall& call, std::string head,
                               std::optional<Failure>& refused) {
  if (!call.pieces) head += call.body;
  if (const Failure failed = WriteAll(head)) {
    refused = failed;
    return {};
  }
  while (call.pieces) {
    TRY_ASSIGN(const std::optional<std::string> piece, call.pieces());
    if (piece && piece->empty()) continue;
    std::string chunk;
    if (piece) {
      std::array<char, 20> size = {};
      const auto end = std::to_chars(size.begin(), size.end(), piece->size(), 16);
      chunk.assign(size.begin(), end.ptr);
      chunk.append("\r\n").append(*piece).append("\r\n");
    } else {
      chunk = "0\r\n\r\n";
    }
    if (const Failure failed = WriteAll(chunk)) {
      refused = failed;
      return {};
    }
    if (!piece) break;
  }
  return {};
}

Status HttpExchange::Ask(const HttpPeer& peer, const HttpCall& call, const std::string& protocol) {
  TRY_ASSIGN(std::string head, HeadText(peer, call, protocol));
  std::optional<Failure> refused;
  TRY(WriteCall(call, std::move(head), refused));
  if (refused == Failure(asio::error::timed_out)) return Failed("send", *refused);
  Status read = ReadHead();
  if (!read && refused) return Failed("send", *refused);
  return read;
}

Status HttpExchange::ReadHead() {
  const Failure failed = Run(limits_.answer_time, [&](auto done) {
    http::async_read_header(socket_, buffer_, *parser_, std::move(done));
  });
  if (failed) return Failed("receive", failed);
  head_.status = static_cast<std::uint16_t>(parser_->get().result_int());
  for (const auto& field : parser_->get()) {
    head_.fields.Add(std::string(field.name_string()), std::string(field.value()));
  }
  return {};
}

Result<std::optional<std::string>> HttpExchange::Next(std::chrono::milliseconds patience) {
  if (cancelled_) return Failed("receive", asio::error::operation_aborted);
  if (!pending_) {
    if (parser_->is_done()) return std::optional<std::string>();
    piece_.resize(kPiece);
    parser_->get().body().data = piece_.data();
    parser_->get().body().size = piece_.size();
    pending_ = true;
    http::async_read_some(socket_, buffer_, *parser_,
                          [this](const Failure& failed, std::size_t /*count*/) {
                            pending_ = false;
                            outcome_ = failed;
                          });
  }
  const auto end = Clock::now() + patience;
  io_.restart();
  while (pending_ && Clock::now() < end) io_.run_one_until(end);
  if (pending_) return Failed("receive", asio::error::timed_out);
  if (outcome_ && outcome_ != http::error::need_buffer) return Failed("receive", outcome_);
  piece_.resize(piece_.size() - parser_->get().body().size);
  if (piece_.empty() && !parser_->is_done()) return Next(patience);
  if (piece_.empty()) return std::optional<std::string>();
  return std::optional<std::string>(std::move(piece_));
}

Result<std::string> HttpExchange::Rest() {
  const auto end = Clock::now() + limits_.answer_time;
  std::string body;
  while (true) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now());
    TRY_ASSIGN(const std::optional<std::string> piece,
               Next(std::max(left, std::chrono::milliseconds(0))));
    if (!piece) return body;
    body += *piece;
  }
}

Result<platform::UniqueFd> HttpExchange::Release(std::string& early) {
  early.assign(static_cast<const char*>(buffer_.data().data()), buffer_.size());
  Failure failed;
  socket_.native_non_blocking(true, failed);
  platform::UniqueFd stream(failed ? -1 : socket_.release(failed));
  if (failed) return Failed("release", failed);
  return stream;
}

void HttpExchange::Cancel() {
  cancelled_ = true;
  asio::post(io_, [this] {
    Failure ignored;
    socket_.close(ignored);
  });
}

}  // namespace cordon::net
