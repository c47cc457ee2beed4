// What goes to one client of the handshake era, on streams that it may lose and take up
// again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "mcp/event_text.h"
#include "net/http_server.h"

namespace cordon::mcp {

// Messages are kept for clients that come back, the newest ones of all streams together.
// Thread safety: everything may run concurrently.
class HttpOutbox {
 public:
  // For what belongs to no request; the other streams are numbered from 1.
  static constexpr std::uint64_t kUnasked = 0;
  // Whether an event with an id goes first; older clients take that for a message.
  enum class Priming { kNo, kYes };
  struct Limits {
    std::size_t events = 256;
    std::size_t bytes = std::size_t{1} << 20;
  };
  explicit HttpOutbox(Limits limits) : limits_(limits) {}

  std::uint64_t NewStream();
  // Begins `reply` and sends the stream's messages there from now on, after those that
  // have not been sent yet. Who was sent them before, no longer is.
  void Attach(std::uint64_t stream, std::shared_ptr<net::HttpReply> reply, Priming priming);
  // The same for who has seen everything up to `last`. False, and nothing was done: there
  // is nothing to be had of that stream any more.
  bool Resume(const EventId& last, const std::shared_ptr<net::HttpReply>& reply);

  // Waiting: not for those who tell changes.
  enum class Waiting { kMay, kNever };
  void Send(std::uint64_t stream, std::string_view message, Waiting waiting);
  // There will be no more on this stream.
  void End(std::uint64_t stream);

  void Pulse();
  bool has_reader() const;  // somebody holds a stream of its own open
  void Close();             // ends them all

 private:
  struct Event {
    EventId id;
    std::string text;
  };
  struct Stream {
    std::shared_ptr<net::HttpReply> reply = nullptr;
    std::uint64_t sent = 0;  // the last event that was handed over
  };
  // With the mutex held.
  void Keep(Event event);
  void HandOver(Stream& stream, const Event& event);
  std::string Missed(std::uint64_t stream, std::uint64_t after);

  const Limits limits_;
  mutable std::mutex mutex_;
  std::uint64_t last_stream_ = kUnasked;
  std::uint64_t last_event_ = 0;
  std::deque<Event> kept_;
  std::size_t kept_bytes_ = 0;
  std::map<std::uint64_t, Stream> streams_ = {{kUnasked, {}}};
};

}  // namespace cordon::mcp
