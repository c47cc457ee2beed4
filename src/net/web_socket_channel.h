// Between whoever uses a WebSocket, in any thread, and its connection.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>

#include "net/web_socket.h"

namespace cordon::net {

// Thread safety: everything may run concurrently, but the part for the connection only in
// its I/O thread.
class WebSocketChannel {
 public:
  using Message = WebSocket::Message;
  explicit WebSocketChannel(WebSocketTerms terms) : terms_(std::move(terms)) {}

  std::optional<Message> Receive();
  bool Send(Message message);
  void Close(std::uint16_t code, std::string_view reason);
  bool open() const;

  // For the connection. `wake` is called under a lock, never after Gone: something is to be
  // done.
  const WebSocketTerms& terms() const { return terms_; }
  void OnChange(std::function<void()> wake);
  void Push(Message message);
  bool wants_more() const;  // there is room for another one
  std::optional<Message> Take();
  void Sent();  // what was taken
  struct Farewell {
    std::uint16_t code = 1000;
    std::string reason;
  };
  std::optional<Farewell> farewell() const;  // once everything before it was taken
  void Gone();

 private:
  const WebSocketTerms terms_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::function<void()> wake_;
  std::deque<Message> in_, out_;
  std::size_t in_bytes_ = 0, out_bytes_ = 0, taken_ = 0;
  std::optional<Farewell> farewell_;
  bool gone_ = false;
};

// What a handler holds; the channel is closed when the last reference goes.
std::shared_ptr<WebSocket> MakeWebSocket(std::shared_ptr<WebSocketChannel> channel);

}  // namespace cordon::net
