// A local stream of lines, either end: bounded in what it holds, on one thread.
#pragma once

#include <array>
#include <boost/asio/local/stream_protocol.hpp>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace cordon::consent {

// Guarantees: whatever the other end sends, or does not read, holds at most `max_line`
//   bytes of what came and kMaxUnsent bytes of what is to go; who exceeds that is cut
//   off. Once closed it calls nothing any more.
// Thread safety: everything on the io_context's one thread.
class LineConnection : public std::enable_shared_from_this<LineConnection> {
 public:
  using Socket = boost::asio::local::stream_protocol::socket;
  static constexpr std::size_t kMaxUnsent = 8 * 1024 * 1024;

  struct Handlers {
    std::function<void(std::string_view line)> line;  // without its newline
    std::function<void()> closed;                     // by the other end, or cut off; once
  };

  LineConnection(Socket socket, std::size_t max_line);
  void Start(Handlers handlers);
  // Goes out at once as far as the system takes it.
  void Send(std::string line);
  void Close();  // without a call of `closed`
  int descriptor() { return socket_.native_handle(); }

 private:
  void Read();
  void Write();
  void TakeLines();
  void Fail();

  Socket socket_;
  std::size_t max_line_;
  Handlers handlers_;
  std::array<char, 4096> chunk_{};
  std::string received_;
  std::deque<std::string> unsent_;
  std::size_t unsent_bytes_ = 0;
  bool open_ = true;
};

}  // namespace cordon::consent
