#include "platform/loopback.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <cerrno>

#include "base/try.h"
#include "platform/linux/error_from_errno.h"
#include "platform/local_socket.h"

namespace cordon::platform {
namespace {

// Answers 0 or the errno.
int Connect(int socket, const sockaddr* address, socklen_t size, std::chrono::milliseconds wait) {
  if (::connect(socket, address, size) == 0) return 0;
  if (errno != EINPROGRESS) return errno;
  pollfd polled = {socket, POLLOUT, 0};
  if (::poll(&polled, 1, static_cast<int>(wait.count())) <= 0) return EAGAIN;
  int result = 0;
  socklen_t result_size = sizeof result;
  if (::getsockopt(socket, SOL_SOCKET, SO_ERROR, &result, &result_size) != 0) return errno;
  return result;
}

int ConnectTo(int socket, IpVersion version, std::uint16_t port, std::chrono::milliseconds wait) {
  if (version == IpVersion::k4) {
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = ::htonl(INADDR_LOOPBACK);
    address.sin_port = ::htons(port);
    return Connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address, wait);
  }
  sockaddr_in6 address = {};
  address.sin6_family = AF_INET6;
  address.sin6_addr = in6addr_loopback;
  address.sin6_port = ::htons(port);
  return Connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address, wait);
}

}  // namespace

Result<LoopbackListener> ListenOnLoopback() {
  LoopbackListener listener;
  TRY_ASSIGN(listener.socket, OpenTcpSocket(IpVersion::k4));
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = ::htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* const name = reinterpret_cast<sockaddr*>(&address);
  if (::bind(listener.socket.get(), name, size) != 0) return ErrorFromErrno("bind", errno);
  if (::listen(listener.socket.get(), SOMAXCONN) != 0) return ErrorFromErrno("listen", errno);
  if (::getsockname(listener.socket.get(), name, &size) != 0) {
    return ErrorFromErrno("getsockname", errno);
  }
  listener.port = ::ntohs(address.sin_port);
  return listener;
}

Result<UniqueFd> DialLoopback(std::uint16_t port, std::chrono::milliseconds wait) {
  int failed = ECONNREFUSED;
  for (const IpVersion version : {IpVersion::k4, IpVersion::k6}) {
    auto socket = OpenTcpSocket(version);
    if (!socket) continue;  // a kernel without that version
    failed = ConnectTo(socket->get(), version, port, wait);
    if (failed == 0) {
      const int flags = ::fcntl(socket->get(), F_GETFL);
      if (::fcntl(socket->get(), F_SETFL, flags & ~O_NONBLOCK) != 0) {
        return ErrorFromErrno("fcntl", errno);
      }
      return std::move(*socket);
    }
    if (failed == EAGAIN) break;
  }
  Error error = ErrorFromErrno("connect", failed);
  if (failed != EAGAIN) error.code = ErrorCode::kNotFound;
  return error;
}

}  // namespace cordon::platform
