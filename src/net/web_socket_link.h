// A WebSocket's side of the wire. Everything in the I/O thread.
#pragma once

#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/buffer_body.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/websocket/stream.hpp>
#include <functional>
#include <memory>
#include <optional>

#include "net/web_socket_channel.h"

namespace cordon::net {

class WebSocketLink : public std::enable_shared_from_this<WebSocketLink> {
 public:
  using Socket = boost::asio::generic::stream_protocol::socket;
  using Head = boost::beast::http::request<boost::beast::http::buffer_body>;

  // `over` is called once, when the connection is of no more use.
  WebSocketLink(boost::asio::io_context& io, Socket socket,
                std::shared_ptr<WebSocketChannel> channel, std::function<void()> over);

  // Answers the handshake; a request that is none is answered with an error.
  void Start(const Head& head);
  // Asks for it, as the client; `met` is told once what came of that.
  struct Invitation {
    std::string host, target;
    HttpFields fields;
  };
  using Answer = boost::beast::websocket::response_type;
  using Met = std::function<void(const boost::system::error_code& failed, const Answer& answer)>;
  void Begin(Invitation invitation, Met met);
  void CloseNow();

 private:
  using Failure = boost::system::error_code;
  template <typename Work>
  auto Handler(Work work);
  void Listen();
  void Read();
  void OnRead(const Failure& failed);
  void Continue();  // whatever there is to be done
  void Write();
  void SayFarewell(const WebSocketChannel::Farewell& farewell);
  void Guard();  // a write that is not taken in time ends it
  void End();

  boost::asio::io_context& io_;
  boost::beast::websocket::stream<Socket> stream_;
  const std::shared_ptr<WebSocketChannel> channel_;
  std::function<void()> over_;
  boost::asio::steady_timer timer_;
  boost::beast::flat_buffer buffer_;
  Answer answer_;  // to Begin
  std::optional<WebSocket::Message> writing_;
  bool reading_ = false;
  bool leaving_ = false;
  bool ended_ = false;
};

}  // namespace cordon::net
