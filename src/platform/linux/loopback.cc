#include "platform/loopback.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>

#include "base/try.h"
#include "platform/linux/error_from_errno.h"
#include "platform/local_socket.h"

namespace cordon::platform {

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

}  // namespace cordon::platform
