#include "net/web_socket_client.h"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/post.hpp>
#include <boost/beast/websocket/error.hpp>
#include <future>
#include <thread>
#include <utility>

#include "base/try.h"
#include "net/http_exchange.h"
#include "net/web_socket_link.h"

namespace cordon::net {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using Protocol = asio::generic::stream_protocol;

constexpr std::chrono::seconds kFarewell{2};

Protocol ProtocolOf(const HttpPeer& peer) {
  if (!peer.unix_socket.empty()) return asio::local::stream_protocol();
  return peer.host.find(':') == std::string::npos ? asio::ip::tcp::v4() : asio::ip::tcp::v6();
}

Error Failed(const error_code& failed) {
  Error error;
  error.code = ErrorCode::kIoError;
  error.op = "websocket";
  error.detail = failed.message();
  return error;
}

struct Met {
  error_code failed;
  HttpResponse answer;
};

Met MetOf(const error_code& failed, const WebSocketLink::Answer& answer) {
  Met met{failed, {}};
  met.answer.status = static_cast<std::uint16_t>(answer.result_int());
  for (const auto& field : answer) {
    met.answer.fields.Add(std::string(field.name_string()), std::string(field.value()));
  }
  met.answer.body = answer.body();
  return met;
}

// The connection, and the thread in which it lives.
class ClientSocket final : public WebSocket {
 public:
  explicit ClientSocket(const WebSocketTerms& terms)
      : channel_(std::make_shared<WebSocketChannel>(terms)) {}
  ~ClientSocket() override {
    channel_->Close(1000, "");
    work_.reset();
    if (over_.valid()) over_.wait_for(kFarewell);
    io_.stop();
  }
  ClientSocket(const ClientSocket&) = delete;
  ClientSocket& operator=(const ClientSocket&) = delete;

  Result<Met> Begin(const HttpPeer& peer, platform::UniqueFd stream, const HttpCall& call) {
    Protocol::socket socket(io_);
    error_code failed;
    socket.assign(ProtocolOf(peer), stream.get(), failed);
    if (failed) return Failed(failed);
    static_cast<void>(stream.release());
    const auto ended = std::make_shared<std::promise<void>>();
    over_ = ended->get_future();
    const auto link = std::make_shared<WebSocketLink>(io_, std::move(socket), channel_,
                                                      [ended] { ended->set_value(); });
    const auto told = std::make_shared<std::promise<Met>>();
    std::future<Met> met = told->get_future();
    std::string host = peer.unix_socket.empty() ? peer.host : "localhost";
    asio::post(io_, [link, told, host = std::move(host), call] {
      link->Begin({host, call.target, call.fields},
                  [told](const error_code& failed, const WebSocketLink::Answer& answer) {
                    told->set_value(MetOf(failed, answer));
                  });
    });
    thread_ = std::jthread([this] { io_.run(); });
    return met.get();
  }

  std::optional<Message> Receive() override { return channel_->Receive(); }
  bool Send(Message message) override { return channel_->Send(std::move(message)); }
  void Close(std::uint16_t code, std::string_view reason) override {
    channel_->Close(code, reason);
  }
  bool open() const override { return channel_->open(); }

 private:
  asio::io_context io_{1};
  std::optional<asio::executor_work_guard<asio::io_context::executor_type>> work_{
      asio::make_work_guard(io_)};
  const std::shared_ptr<WebSocketChannel> channel_;
  std::future<void> over_;
  std::jthread thread_;
};

Result<WebSocketAnswer> Open(const HttpPeer& peer, const HttpCall& call,
                             const WebSocketTerms& terms, const HttpClientLimits& limits) {
  HttpExchange exchange(limits, HttpExchange::Body::kLeaveHttp);
  TRY(exchange.Connect(peer));
  std::string early;
  TRY_ASSIGN(platform::UniqueFd stream, exchange.Release(early));
  WebSocketTerms unspoken = terms;
  unspoken.subprotocol.clear();
  auto socket = std::make_shared<ClientSocket>(unspoken);
  TRY_ASSIGN(Met met, socket->Begin(peer, std::move(stream), call));
  WebSocketAnswer answer;
  if (met.failed == boost::beast::websocket::error::upgrade_declined) {
    answer.refusal = std::move(met.answer);
    return answer;
  }
  if (met.failed) return Failed(met.failed);
  answer.socket = std::move(socket);
  return answer;
}

}  // namespace

Result<WebSocketAnswer> OpenWebSocket(const HttpPeer& peer, const HttpCall& call,
                                      const WebSocketTerms& terms, const HttpClientLimits& limits) {
  try {
    return Open(peer, call, terms, limits);
  } catch (const std::exception& thrown) {
    Error error;
    error.code = ErrorCode::kIoError;
    error.op = "websocket";
    error.detail = thrown.what();
    return error;
  }
}

}  // namespace cordon::net
