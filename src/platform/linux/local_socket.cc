#include "platform/local_socket.h"

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>

#include "platform/linux/error_from_errno.h"

namespace cordon::platform {

Result<UniqueFd> OpenLocalSocket() {
  UniqueFd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket.valid()) return ErrorFromErrno("socket", errno);
  return socket;
}

Result<UniqueFd> OpenTcpSocket(IpVersion version) {
  const int family = version == IpVersion::k4 ? AF_INET : AF_INET6;
  UniqueFd socket(::socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket.valid()) return ErrorFromErrno("socket", errno);
  return socket;
}

Result<UniqueFd> AcceptConnection(int listener) {
  UniqueFd socket(::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
  if (!socket.valid()) return ErrorFromErrno("accept4", errno);
  return socket;
}

Result<std::uint32_t> PeerUser(int socket) {
  ucred peer = {};
  socklen_t size = sizeof peer;
  if (::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) {
    return ErrorFromErrno("getsockopt", errno);
  }
  if (size != sizeof peer || peer.uid == static_cast<uid_t>(-1)) {
    return ErrorFromErrno("getsockopt", ENODATA);
  }
  return peer.uid;
}

Result<std::uint32_t> OwnUser() { return ::geteuid(); }
Result<std::uint32_t> OwnProcess() { return static_cast<std::uint32_t>(::getpid()); }

}  // namespace cordon::platform
