#include "platform/socket_pair.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>

#include "platform/linux/error_from_errno.h"

namespace cordon::platform {

Result<SocketPair> MakeSocketPair() {
  std::array<int, 2> both = {-1, -1};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, both.data()) != 0 ||
      ::fcntl(both[0], F_SETFL, O_NONBLOCK) != 0) {
    return ErrorFromErrno("socketpair", errno);
  }
  SocketPair pair;
  pair.one.reset(both[0]);
  pair.other.reset(both[1]);
  return pair;
}

Result<std::size_t> SendNow(int socket, std::string_view bytes) {
  const ssize_t count = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return std::size_t{0};
  if (count < 0) return ErrorFromErrno("send", errno);
  return static_cast<std::size_t>(count);
}

Status SendAll(int socket, std::string_view bytes, int stall_ms) {
  while (!bytes.empty()) {
    const Result<std::size_t> count = SendNow(socket, bytes);
    if (!count) return count.error();
    bytes.remove_prefix(*count);
    if (*count > 0) continue;
    pollfd room = {socket, POLLOUT, 0};
    if (::poll(&room, 1, stall_ms) == 0) return ErrorFromErrno("send", ETIMEDOUT);
  }
  return {};
}

void HangUp(int socket) { ::shutdown(socket, SHUT_RDWR); }

}  // namespace cordon::platform
