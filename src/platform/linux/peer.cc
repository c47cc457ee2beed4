#include "platform/peer.h"

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>

#include "platform/linux/error_from_errno.h"

namespace cordon::platform {

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
