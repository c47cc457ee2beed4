#include "net/web_socket_link.h"

#include <boost/asio/buffer.hpp>
#include <boost/asio/post.hpp>
#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/http/field.hpp>
#include <boost/beast/websocket.hpp>
#include <utility>

namespace cordon::net {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace websocket = boost::beast::websocket;

constexpr std::chrono::milliseconds kHandshake{10'000};
// Small messages are the rule; a client that is idle shall not hold much.
constexpr std::size_t kWriteBuffer = 4096;

}  // namespace

WebSocketLink::WebSocketLink(asio::io_context& io, Socket socket,
                             std::shared_ptr<WebSocketChannel> channel, std::function<void()> over)
    : io_(io),
      stream_(std::move(socket)),
      channel_(std::move(channel)),
      over_(std::move(over)),
      timer_(io) {
  const WebSocketTerms& terms = channel_->terms();
  websocket::stream_base::timeout timeout{};
  timeout.handshake_timeout = kHandshake;
  timeout.idle_timeout = terms.quiet;
  timeout.keep_alive_pings = true;
  stream_.set_option(timeout);
  stream_.read_message_max(terms.message);
  stream_.write_buffer_bytes(kWriteBuffer);
  stream_.auto_fragment(false);
  if (!terms.subprotocol.empty()) {
    stream_.set_option(websocket::stream_base::decorator(
        [chosen = terms.subprotocol](websocket::response_type& response) {
          response.set(beast::http::field::sec_websocket_protocol, chosen);
        }));
  }
}

// Keeps this alive; whatever it throws ends this client alone.
template <typename Work>
auto WebSocketLink::Handler(Work work) {
  return [self = shared_from_this(), work](const Failure& failed, auto...) mutable {
    if (self->ended_) return;
    try {
      work(*self, failed);
    } catch (...) {
      self->End();
    }
  };
}

// To what whoever uses the channel wants done.
void WebSocketLink::Listen() {
  channel_->OnChange([weak = weak_from_this(), &io = io_] {
    asio::post(io, [weak] {
      const auto self = weak.lock();
      if (!self || self->ended_) return;
      try {
        self->Continue();
      } catch (...) {
        self->End();
      }
    });
  });
}

void WebSocketLink::Start(const Head& head) {
  Listen();
  stream_.async_accept(head, Handler([](WebSocketLink& self, const Failure& failed) {
                         if (failed) return self.End();
                         self.Read();
                         self.Continue();
                       }));
}

void WebSocketLink::Begin(Invitation invitation, Met met) {
  Listen();
  stream_.set_option(websocket::stream_base::decorator(
      [fields = std::move(invitation.fields)](websocket::request_type& request) {
        for (const auto& [name, value] : fields.all()) request.set(name, value);
      }));
  stream_.async_handshake(
      answer_, invitation.host, invitation.target,
      Handler([met = std::move(met)](WebSocketLink& self, const Failure& failed) {
        met(failed, self.answer_);
        if (failed) return self.End();
        self.Read();
        self.Continue();
      }));
}

void WebSocketLink::Read() {
  reading_ = true;
  stream_.async_read(buffer_, Handler([](WebSocketLink& self, const Failure& failed) {
                       self.reading_ = false;
                       self.OnRead(failed);
                     }));
}

void WebSocketLink::OnRead(const Failure& failed) {
  if (failed) return End();
  const auto kind = stream_.got_text() ? WebSocket::Kind::kText : WebSocket::Kind::kBinary;
  channel_->Push({kind, beast::buffers_to_string(buffer_.data())});
  buffer_.consume(buffer_.size());
  buffer_.shrink_to_fit();
  if (channel_->wants_more()) Read();
}

void WebSocketLink::Continue() {
  if (!stream_.is_open()) return;  // the handshake comes first
  if (!reading_ && channel_->wants_more()) Read();
  if (writing_ || leaving_) return;
  writing_ = channel_->Take();
  if (writing_) return Write();
  if (const auto farewell = channel_->farewell()) SayFarewell(*farewell);
}

void WebSocketLink::Write() {
  stream_.text(writing_->kind == WebSocket::Kind::kText);
  Guard();
  stream_.async_write(asio::buffer(writing_->bytes),
                      Handler([](WebSocketLink& self, const Failure& failed) {
                        self.timer_.cancel();
                        self.writing_.reset();
                        if (failed) return self.End();
                        self.channel_->Sent();
                        self.Continue();
                      }));
}

void WebSocketLink::SayFarewell(const WebSocketChannel::Farewell& farewell) {
  leaving_ = true;
  Guard();
  const websocket::close_reason reason(static_cast<websocket::close_code>(farewell.code),
                                       farewell.reason);
  stream_.async_close(reason, Handler([](WebSocketLink& self, const Failure&) { self.End(); }));
}

void WebSocketLink::Guard() {
  timer_.expires_after(channel_->terms().stall_time);
  timer_.async_wait([weak = weak_from_this()](const Failure& aborted) {
    const auto self = weak.lock();
    if (aborted || !self || self->ended_) return;
    if (self->timer_.expiry() > asio::steady_timer::clock_type::now()) return;  // set anew
    self->End();
  });
}

void WebSocketLink::CloseNow() { End(); }

void WebSocketLink::End() {
  if (std::exchange(ended_, true)) return;
  const auto self = shared_from_this();
  timer_.cancel();
  Failure ignored;
  beast::get_lowest_layer(stream_).close(ignored);
  channel_->Gone();
  if (over_) std::exchange(over_, nullptr)();
}

}  // namespace cordon::net
