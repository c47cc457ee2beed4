// A connection that has become a WebSocket (RFC 6455), as its handler sees it.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "net/http_message.h"

namespace cordon::net {

struct WebSocketTerms {
  std::string subprotocol = {};                  // one that the client has offered; "": none
  std::size_t message = std::size_t{256} << 10;  // longer ones: closed with 1009
  std::size_t unread = std::size_t{256} << 10;   // beyond, the client is not read from
  std::size_t unsent = std::size_t{1} << 20;     // beyond, Send waits
  std::chrono::milliseconds quiet{30'000};       // then a ping; no sign of life after it: gone
  std::chrono::milliseconds stall_time{30'000};  // for a message to be taken, by them or by us
};

// Guarantees: bounded memory whatever the client does; frames that RFC 6455 forbids, text that is
//   no UTF-8, messages that are too long and clients that do not read end it.
// Thread safety: everything may run concurrently; nothing that waits in an I/O thread.
class WebSocket {
 public:
  enum class Kind { kText, kBinary };
  struct Message {
    Kind kind = Kind::kBinary;
    std::string bytes;
  };

  virtual ~WebSocket() = default;  // closes it, once nobody holds it
  // Waits for the next one. Unset: it is closed.
  virtual std::optional<Message> Receive() = 0;
  // Waits while too much is unsent; false: it is closed, or the client too slow, and cut off.
  virtual bool Send(Message message) = 0;
  // What was sent before still goes. 1000: all is well.
  virtual void Close(std::uint16_t code, std::string_view reason) = 0;
  virtual bool open() const = 0;
};

// Whether a request asks for one.
bool AsksForWebSocket(const HttpRequest& request);
// What the client offers, in its order.
std::vector<std::string> OfferedSubprotocols(const HttpFields& fields);

}  // namespace cordon::net
