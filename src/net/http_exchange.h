// One call and its answer, on a connection of its own, by the thread that asks.
#pragma once

#include <atomic>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/buffer_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

#include "net/http_client.h"

namespace cordon::net {

// Thread safety: one thread at a time, but for Cancel.
class HttpExchange {
 public:
  enum class Body { kWhole, kStream, kLeaveHttp };

  HttpExchange(const HttpClientLimits& limits, Body body);

  Status Connect(const HttpPeer& peer);
  // The call, and then the answer's head. What the server says against a call that it does not
  // take to its end is the answer.
  Status Ask(const HttpPeer& peer, const HttpCall& call, const std::string& protocol);
  const HttpResponse& head() const { return head_; }
  // As HttpIncoming::Next.
  Result<std::optional<std::string>> Next(std::chrono::milliseconds patience);
  Result<std::string> Rest();
  // The connection, and what came over it after the head.
  Result<platform::UniqueFd> Release(std::string& early);
  void Cancel();

 private:
  using Failure = boost::system::error_code;
  using Parser = boost::beast::http::response_parser<boost::beast::http::buffer_body>;
  static constexpr std::size_t kPiece = std::size_t{32} << 10;

  // Runs what `start` begins, until it is done or the time is over.
  template <typename Start>
  Failure Run(std::chrono::milliseconds time, Start start);
  Failure WriteAll(std::string_view bytes);
  // Unset in `refused`: everything was taken.
  Status WriteCall(const HttpCall& call, std::string head, std::optional<Failure>& refused);
  Status ReadHead();

  HttpClientLimits limits_;
  Body body_;
  boost::asio::io_context io_{1};
  boost::asio::generic::stream_protocol::socket socket_{io_};
  boost::beast::flat_buffer buffer_;
  std::optional<Parser> parser_;
  HttpResponse head_;
  std::string piece_;
  bool pending_ = false;  // a read that outlasted its caller's patience is still there
  Failure outcome_;
  std::atomic<bool> cancelled_{false};
};

}  // namespace cordon::net
