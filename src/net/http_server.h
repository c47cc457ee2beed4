// HTTP/1.1 for many clients that need not be friendly.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "cordon/result.h"
#include "net/http_message.h"
#include "net/web_socket.h"

namespace cordon::net {

// The way back. One of Send, Begin and Upgrade, once.
// Thread safety: everything may run concurrently. Never throws; a client that is gone is
// no error, it only makes open() false.
class HttpReply {
 public:
  virtual ~HttpReply() = default;
  virtual void Send(HttpResponse response) = 0;
  // A response of unknown length, e.g. server-sent events; `head.body` goes first.
  virtual void Begin(const HttpResponse& head) = 0;
  // A piece of it, at once. Waits while more than the limit of unsent bytes is queued;
  // false: the client is gone, or too slow, and cut off. Not to be called from an I/O thread (see
  // HttpHandler).
  virtual bool Write(std::string piece) = 0;
  // The same without waiting; false also when the queue is full.
  virtual bool TryWrite(std::string piece) = 0;
  virtual void End() = 0;
  virtual bool open() const = 0;
  // Runs once when the client goes before the end, at once if it has gone. Runs in an
  // I/O thread.
  virtual void OnGone(std::function<void()> gone) = 0;
  // Instead of Send and Begin: the connection becomes a WebSocket. Null if it was answered
  // already, or is gone. For a request that AsksForWebSocket; one that is wrong all the same
  // is answered with an error, and the socket is closed.
  virtual std::shared_ptr<WebSocket> Upgrade(const WebSocketTerms& terms) = 0;
};

// Runs in an I/O thread: must not wait, but hand over what takes time. When the last
// reference to `reply` is dropped without an answer, the client gets 500.
using HttpHandler = std::function<void(HttpRequest request, std::shared_ptr<HttpReply> reply)>;

// Sees a request before its body is received, so that strangers cannot make us take one:
// what it gives is sent instead, and the connection closed. May set `badge`; `body` is
// empty. Runs in an I/O thread, must not wait.
using HttpGate = std::function<std::optional<HttpResponse>(HttpRequest& request)>;

struct HttpLimits {
  // For one more goes who has been here longest without passing the gate; else the longest
  // idle; else itself.
  std::size_t connections = 1200;
  std::size_t head = std::size_t{16} << 10;
  std::size_t body = std::size_t{64} << 20;  // more: 413
  // All bodies together, from their first byte to the end of the reply; more: 503. The
  // first 64 KiB of each are free.
  std::size_t bodies = std::size_t{256} << 20;
  std::size_t unsent = std::size_t{8} << 20;  // of one reply that is a stream
  // Of all replies together; for one more, the one that is read most slowly is cut off;
  // if all are read well, it is 503 itself, a stream is cut off. The first 64 KiB of each are
  // free.
  std::size_t all_unsent = std::size_t{256} << 20;
  std::chrono::milliseconds head_time{10'000};   // for a whole head, from its first byte
  std::chrono::milliseconds idle_time{120'000};  // between requests
  std::chrono::milliseconds stall_time{30'000};  // without a byte of a body, or taking none
};

// Where to listen. Nothing but loopback addresses is accepted as Tcp unless said so.
struct HttpAddress {
  enum class Reach { kLoopback, kAny };
  std::string host;              // "127.0.0.1", "::1", "localhost"
  std::uint16_t port = 0;        // 0: any that is free
  std::string unix_socket = {};  // set: instead of the above; mode 0600, replaced if stale
  Reach reach = Reach::kLoopback;
};
// "127.0.0.1:8080", "[::1]:0", ":8080" (loopback), "unix:/path". Errors: kInvalidArguments.
Result<HttpAddress> ParseHttpAddress(std::string_view text);

// Guarantees: bounded memory whatever clients do; one client that is slow or hostile does
//   not hold up another; malformed HTTP is answered with 400 and the connection closed.
//   Request smuggling forms (two lengths, length and chunked) are refused.
// A client that ends its sending side counts as gone.
class HttpServer {
 public:
  // Listens when it returns. Errors: kInvalidArguments, kIoError.
  static Result<std::unique_ptr<HttpServer>> Start(const HttpAddress& address,
                                                   const HttpLimits& limits, HttpHandler handler,
                                                   HttpGate gate = nullptr);
  // Gives what is answered a moment to be sent, closes everything, waits for its threads.
  virtual ~HttpServer() = default;
  // Where it listens: "127.0.0.1:41234" or the socket's path.
  virtual std::string address() const = 0;
  virtual std::uint16_t port() const = 0;
  virtual std::size_t connections() const = 0;
};

}  // namespace cordon::net
