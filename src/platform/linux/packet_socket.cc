#include "platform/packet_socket.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "base/try.h"
#include "platform/linux/error_from_errno.h"

namespace cordon::platform {
namespace {

constexpr int kBacklog = 128;

// An address holds a hundred bytes: so the directory is named by its descriptor.
Result<sockaddr_un> AddressOf(int directory, const char* name) {
  const std::string path = "/proc/self/fd/" + std::to_string(directory) + "/" + name;
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) return ErrorFromErrno("socket", ENAMETOOLONG);
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  return address;
}

Result<UniqueFd> OpenSocket(int flags) {
  UniqueFd socket(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | flags, 0));
  if (!socket.valid()) return ErrorFromErrno("socket", errno);
  return socket;
}

}  // namespace

Result<UniqueFd> ListenForPackets(int directory, const char* name) {
  TRY_ASSIGN(const sockaddr_un address, AddressOf(directory, name));
  TRY_ASSIGN(UniqueFd socket, OpenSocket(SOCK_NONBLOCK));
  if (::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    Error error = ErrorFromErrno("bind", errno);
    if (errno == EADDRINUSE) error.code = ErrorCode::kAlreadyExists;
    return error;
  }
  if (::listen(socket.get(), kBacklog) != 0) return ErrorFromErrno("listen", errno);
  return socket;
}

Result<UniqueFd> ConnectForPackets(int directory, const char* name) {
  TRY_ASSIGN(const sockaddr_un address, AddressOf(directory, name));
  TRY_ASSIGN(UniqueFd socket, OpenSocket(0));
  while (::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) !=
         0) {
    if (errno == EINTR) continue;
    Error error = ErrorFromErrno("connect", errno);
    if (errno == ECONNREFUSED) error.code = ErrorCode::kNotFound;
    return error;
  }
  return socket;
}

Status TakeOverListener(int listener) {
  if (::listen(listener, kBacklog) != 0) return ErrorFromErrno("listen", errno);
  return {};
}

Result<UniqueFd> AcceptPackets(int listener) {
  UniqueFd socket(::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC));
  if (!socket.valid()) return ErrorFromErrno("accept4", errno);
  return socket;
}

Result<int> PeerProcess(int socket) {
  ucred peer = {};
  socklen_t size = sizeof peer;
  if (::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) {
    return ErrorFromErrno("getsockopt", errno);
  }
  if (peer.pid <= 0) return ErrorFromErrno("getsockopt", ESRCH);
  return peer.pid;
}

}  // namespace cordon::platform
