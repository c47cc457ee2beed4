// A connection's states: one request at a time, read, handed over and answered.
#pragma once

#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/buffer_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <chrono>
#include <cstddef>
#include <list>
#include <memory>
#include <optional>
#include <string>

#include "net/http_connection.h"
#include "net/reply_channel.h"
#include "net/request_check.h"
#include "net/web_socket_link.h"

namespace cordon::net {

class ClientConnection final : public HttpConnection,
                               public std::enable_shared_from_this<ClientConnection> {
 public:
  using Socket = boost::asio::generic::stream_protocol::socket;
  using Failure = boost::system::error_code;
  using Parser = boost::beast::http::request_parser<boost::beast::http::buffer_body>;

  ClientConnection(HttpCore& core, Socket socket)
      : core_(core), socket_(std::move(socket)), timer_(core.io) {
    buffer_.max_size(core.limits.head + kAhead);
    Join(core.strangers);
  }
  ~ClientConnection() override {
    LeaveLine();
    Release();
  }
  ClientConnection(const ClientConnection&) = delete;
  ClientConnection& operator=(const ClientConnection&) = delete;

  void Close() override;
  void Leave() override;
  void NextRequest();

 private:
  static constexpr std::size_t kPiece = std::size_t{16} << 10;  // of a body, at a time
  static constexpr std::size_t kAhead = std::size_t{16} << 10;  // read before its turn

  // kIdle: waits for a request; kHead, kBody: receives one; kWorking: somebody answers it;
  // kRefusing: we do, as the last thing; kFarewell: the client is given time to read that;
  // kUpgraded: it is a WebSocket's.
  enum class Phase { kIdle, kHead, kBody, kWorking, kRefusing, kFarewell, kUpgraded, kClosed };

  void Peek();
  void OnPeek(const Failure& failed, std::size_t count);
  void BeginHead();
  void OnHead(const Failure& failed);
  void Continue();
  void ReadBody();
  void OnBody(Failure failed);
  void Dispatch();
  void Refuse(const HttpResponse& response);
  void Flush();
  void WriteSome();
  void OnWritten(const Failure& failed, std::size_t count);
  void Finish();
  void BeginUpgrade(std::shared_ptr<WebSocketChannel> socket);
  void Upgrade();
  void Farewell();
  void Drain();
  void Arm(std::chrono::milliseconds time);
  void OnTime();
  void Join(std::list<HttpConnection*>& line);
  void LeaveLine();
  void Release();
  std::shared_ptr<ReplyChannel> NewChannel(Afterwards afterwards);
  // A handler of ours that keeps this alive; whatever it throws ends this client alone.
  template <typename Work>
  auto Handler(Work work) {
    return [self = shared_from_this(), work](const Failure& failed, auto... rest) mutable {
      if (self->phase_ == Phase::kClosed) return;
      try {
        work(*self, failed, rest...);
      } catch (...) {
        self->Close();
      }
    };
  }

  HttpCore& core_;
  Socket socket_;
  boost::asio::steady_timer timer_;
  std::list<HttpConnection*>* line_ = nullptr;  // of those who make room
  std::list<HttpConnection*>::iterator place_;  // in it
  Phase phase_ = Phase::kIdle;
  boost::beast::flat_buffer buffer_;
  bool peeking_ = false;
  std::optional<Parser> parser_;
  HttpRequest request_;
  std::string piece_;
  std::size_t charged_ = 0;  // of core_.bodies
  HttpVersion version_ = HttpVersion::k11;
  std::shared_ptr<ReplyChannel> channel_;
  std::shared_ptr<WebSocketChannel> upgrade_;  // while it is being made one
  std::shared_ptr<WebSocketLink> link_;        // once it is
  std::string out_;
  std::size_t written_ = 0;
  bool writing_ = false;
  std::size_t drained_ = 0;
};

}  // namespace cordon::net
