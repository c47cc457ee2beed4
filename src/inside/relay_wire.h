// What goes over the streams of `cordon-tools relay`, in both directions: a letter, the number of
// a connection and the length in four bytes each, the highest first, and that many bytes. Neither
// side trusts the other's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cordon/result.h"

namespace cordon::inside {

struct RelayFrame {
  enum class Kind : char {
    kOpen = 'o',     // to the tools: a new number, for the port in two bytes
    kOpened = 'y',   // from them
    kRefused = 'n',  // nobody listens; the number is over
    kData = 'd',     // no more than was granted
    kEnd = 'e',      // no more data will come from this side; after both, the number is over
    kGone = 'x',     // the connection broke; the number is over
    kGrant = 'g',    // four bytes: so many more bytes are taken
  };
  Kind kind = Kind::kData;
  std::uint32_t connection = 0;
  std::string bytes;
};

inline constexpr std::size_t kLongestRelayed = std::size_t{32} << 10;
// Of data in each direction of a connection, before the first grant.
inline constexpr std::uint32_t kRelayWindow = std::uint32_t{256} << 10;
inline constexpr std::size_t kMostRelayed = 256;  // connections at a time

std::string Encode(RelayFrame::Kind kind, std::uint32_t connection, std::string_view bytes = {});
std::string EncodeGrant(std::uint32_t connection, std::uint32_t count);

// Takes bytes as they come, gives frames.
class RelayReader {
 public:
  void Take(std::string_view bytes) { held_ += bytes; }
  // Unset: more is needed. Errors: kIoError for what can be no frame.
  Result<std::optional<RelayFrame>> Next();

 private:
  std::string held_;
  std::size_t read_ = 0;
};

// One side of one connection: what is on its way between the other side and a socket here. Both
// ends of the relay have the same.
class RelayedSocket {
 public:
  explicit RelayedSocket(std::uint32_t number) : number_(number) {}

  // What came from the other side. False: it broke the rules.
  bool Take(const RelayFrame& frame);
  // Reads from the socket, which never blocks, and writes to it as far as both go now; adds what
  // is to be said.
  void Move(int socket, std::string& to_say);
  // Says that it broke, unless it is over.
  void Break(std::string& to_say);

  bool wants_to_read() const { return reading_ && window_ > 0; }
  bool wants_to_write() const { return !held_.empty(); }
  // The socket has nothing more to say: only that it has gone can still be seen of it.
  bool heard_all() const { return !reading_; }
  bool over() const { return over_; }

 private:
  const std::uint32_t number_;
  std::string held_;                           // for the socket
  std::uint32_t window_ = kRelayWindow;        // that the other side takes
  std::uint32_t their_window_ = kRelayWindow;  // that this side takes
  bool reading_ = true, ended_ = false, over_ = false;
  bool told_end_ = false;  // to the socket
};

}  // namespace cordon::inside
