// A client that says whatever a test wants it to say, byte by byte.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace cordon::test {

struct RawAnswer {
  int status = 0;    // 0: the server closed without one
  std::string head;  // with the status line
  std::string body;  // chunks put together
  bool whole = false;

  // "" if it is not there.
  std::string Field(std::string_view name) const {
    std::string wanted = "\r\n" + std::string(name) + ": ";
    const std::size_t at = head.find(wanted);
    if (at == std::string::npos) return "";
    const std::size_t begin = at + wanted.size();
    return head.substr(begin, head.find("\r\n", begin) - begin);
  }
};

class RawClient {
 public:
  static constexpr std::chrono::milliseconds kPatience{5000};

  explicit RawClient(std::uint16_t port) : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connected_ = ::connect(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  }
  explicit RawClient(const std::string& path)
      : fd_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
    connected_ = ::connect(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  }
  ~RawClient() { Close(); }
  RawClient(RawClient&& other) noexcept
      : fd_(std::exchange(other.fd_, -1)),
        connected_(other.connected_),
        received_(std::move(other.received_)) {}
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;

  bool connected() const { return connected_; }
  void Close() {
    if (fd_ >= 0) ::close(std::exchange(fd_, -1));
  }
  void EndSending() { ::shutdown(fd_, SHUT_WR); }

  // False: the server takes no more.
  bool Say(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }

  // Appends what comes to received(); false at the end or when nothing comes in time.
  bool Hear(std::chrono::milliseconds patience = kPatience) {
    pollfd waiting = {fd_, POLLIN, 0};
    if (::poll(&waiting, 1, static_cast<int>(patience.count())) <= 0) return false;
    char chunk[16384];
    const ssize_t got = ::recv(fd_, chunk, sizeof chunk, 0);
    if (got <= 0) {
      ended_ = true;
      return false;
    }
    received_.append(chunk, static_cast<std::size_t>(got));
    return true;
  }
  // Whether the server has closed within that time.
  bool IsClosed(std::chrono::milliseconds patience = kPatience) {
    const auto end = std::chrono::steady_clock::now() + patience;
    while (!ended_ && std::chrono::steady_clock::now() < end) Hear(patience);
    return ended_;
  }
  // Waits until `text` has come.
  bool HearUntil(std::string_view text, std::chrono::milliseconds patience = kPatience) {
    while (received_.find(text) == std::string::npos) {
      if (!Hear(patience)) return false;
    }
    return true;
  }

  // The next response, taken off received().
  RawAnswer Answer() {
    RawAnswer answer;
    if (!HearUntil("\r\n\r\n")) return answer;
    const std::size_t end = received_.find("\r\n\r\n") + 4;
    answer.head = received_.substr(0, end);
    received_.erase(0, end);
    answer.status = std::atoi(answer.head.c_str() + std::strlen("HTTP/1.1 "));
    if (answer.status == 100) return Answer();
    if (const std::string length = answer.Field("Content-Length"); !length.empty()) {
      const std::size_t size = std::strtoull(length.c_str(), nullptr, 10);
      while (received_.size() < size && Hear()) {
      }
      answer.whole = received_.size() >= size;
      answer.body = received_.substr(0, size);
      received_.erase(0, size);
    } else if (answer.Field("Transfer-Encoding") == "chunked") {
      while (const auto chunk = Chunk()) {
        if (chunk->empty()) {
          answer.whole = true;
          break;
        }
        answer.body += *chunk;
      }
    }
    return answer;
  }
  RawAnswer Ask(std::string_view request) {
    Say(request);
    return Answer();
  }

  // Of a body in chunks: the next, "" the last; nothing: the server has gone.
  std::optional<std::string> Chunk() {
    if (!HearUntil("\r\n")) return std::nullopt;
    const std::size_t line = received_.find("\r\n");
    const std::size_t size = std::strtoull(received_.c_str(), nullptr, 16);
    while (received_.size() < line + 2 + size + 2) {
      if (!Hear()) return std::nullopt;
    }
    std::string chunk = received_.substr(line + 2, size);
    received_.erase(0, line + 2 + size + 2);
    return chunk;
  }

  std::string& received() { return received_; }

 private:
  int fd_;
  bool connected_ = false;
  bool ended_ = false;
  std::string received_;
};

}  // namespace cordon::test
