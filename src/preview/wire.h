// A stream that never waits: plain, or TLS.
#pragma once

#include <boost/asio/generic/stream_protocol.hpp>
#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

namespace cordon::preview {

// Of one thread.
class Wire {
 public:
  using Socket = boost::asio::generic::stream_protocol::socket;
  enum class State {
    kMoved,      // `count` bytes
    kWantRead,   // nothing until it can be read
    kWantWrite,  // nothing until it can be written
    kEnded,      // the other side sends no more
    kBroken,
  };
  struct Moved {
    State state = State::kMoved;
    std::size_t count = 0;
  };

  explicit Wire(Socket socket) : socket_(std::move(socket)) {}
  virtual ~Wire() = default;
  Wire(const Wire&) = delete;
  Wire& operator=(const Wire&) = delete;

  virtual Moved Read(std::span<char> into) = 0;
  // As much as is taken. What was not must come first the next time.
  virtual Moved Write(std::span<const std::string_view> pieces) = 0;
  // We send no more; what was sent still arrives.
  virtual void Finish() = 0;
  // Whether something can be read although the socket has nothing.
  virtual bool holds_more() const { return false; }

  Socket& socket() { return socket_; }
  void Close() {
    boost::system::error_code ignored;
    socket_.close(ignored);
  }

 protected:
  Socket socket_;
};

// Small messages are sent at once, and a side that is gone without a word is noticed some day.
std::unique_ptr<Wire> MakePlainWire(Wire::Socket socket);

}  // namespace cordon::preview
