// HTTP/1.1 to a server that need not be friendly: a local engine's, or our own.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "cordon/result.h"
#include "net/http_message.h"
#include "platform/unique_fd.h"

namespace cordon::net {

// Whom to ask. Nothing but this host's own addresses is connected to.
struct HttpPeer {
  std::string unix_socket = {};  // set: instead of what follows
  std::string host = {};         // "127.0.0.1", "::1", "localhost"
  std::uint16_t port = 0;
};

struct HttpClientLimits {
  std::size_t head = std::size_t{64} << 10;
  std::size_t body = std::size_t{16} << 20;  // of an answer that is taken whole
  std::chrono::milliseconds connect_time{5'000};
  // From the request's last byte to the end of the head, and for a body taken whole.
  std::chrono::milliseconds answer_time{60'000};
  std::chrono::milliseconds stall_time{30'000};  // without a byte taken of the request
};

// Gives the next piece of a request's body; unset at its end.
using HttpPieces = std::function<Result<std::optional<std::string>>()>;

struct HttpCall {
  std::string method = "GET";
  std::string target = "/";  // path and query, escaped already
  HttpFields fields = {};    // without Host, lengths and Connection
  std::string body = {};
  HttpPieces pieces = nullptr;  // set: instead of `body`, in chunks
};

// An answer whose body comes by and by.
// Thread safety: Next by one thread at a time; Cancel by any.
class HttpIncoming {
 public:
  virtual ~HttpIncoming() = default;
  virtual const HttpResponse& head() const = 0;  // without a body
  // The next bytes; unset at the end. Errors: kTimeout when none came in time, after which it
  // may be asked again; kIoError, also for a body cut short.
  virtual Result<std::optional<std::string>> Next(std::chrono::milliseconds patience) = 0;
  // Next gives kIoError from now on, also one that waits.
  virtual void Cancel() = 0;
};

// A connection that has left HTTP behind.
struct HttpHijack {
  HttpResponse head;          // with its body, if the server did not agree
  platform::UniqueFd stream;  // invalid then; never blocks
  std::string early = {};     // what has come of it already
};

// One connection for each call.
// Guarantees: bounded memory and time whatever the server does; an answer that breaks off is an
//   error, never a short answer; nothing in a call can add a line to its head.
// Errors: kInvalidArguments (a call that cannot be written); kIoError; kTimeout; kTooLarge.
//   A status of 400 and above is no error here.
// Thread safety: all methods may run concurrently.
class HttpClient {
 public:
  explicit HttpClient(HttpPeer peer, const HttpClientLimits& limits = {})
      : peer_(std::move(peer)), limits_(limits) {}

  Result<HttpResponse> Send(const HttpCall& call) const;
  Result<std::unique_ptr<HttpIncoming>> Open(const HttpCall& call) const;
  // Asks for `protocol` instead of HTTP: the server agrees by 101.
  Result<HttpHijack> Hijack(const HttpCall& call, const std::string& protocol) const;

 private:
  HttpPeer peer_;
  HttpClientLimits limits_;
};

}  // namespace cordon::net
