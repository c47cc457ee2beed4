#include "platform/message_socket.h"

#include <sys/socket.h>
#include <sys/uio.h>

#include <cerrno>
#include <cstring>

#include "platform/linux/error_from_errno.h"

namespace cordon::platform {
namespace {

constexpr std::size_t kControlBytes = CMSG_SPACE(kMostDescriptors * sizeof(int));

std::vector<UniqueFd> TakeDescriptors(msghdr& header) {
  std::vector<UniqueFd> taken;
  for (cmsghdr* part = CMSG_FIRSTHDR(&header); part != nullptr; part = CMSG_NXTHDR(&header, part)) {
    if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS) continue;
    const std::size_t count = (part->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (std::size_t i = 0; i < count; ++i) {
      int fd = -1;
      std::memcpy(&fd, CMSG_DATA(part) + i * sizeof(int), sizeof(int));
      taken.emplace_back(fd);
    }
  }
  return taken;
}

Error TooLarge() {
  Error error;
  error.code = ErrorCode::kTooLarge;
  error.op = "recvmsg";
  error.detail = "a message is larger than any that is expected";
  return error;
}

}  // namespace

Result<MessageSockets> MakeMessageSockets() {
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0) {
    return ErrorFromErrno("socketpair", errno);
  }
  return MessageSockets{UniqueFd(pair[0]), UniqueFd(pair[1])};
}

Status SendMessage(int socket, std::string_view bytes, std::span<const int> descriptors) {
  if (descriptors.size() > kMostDescriptors) return TooLarge();
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): sendmsg only reads it
  iovec part{const_cast<char*>(bytes.data()), bytes.size()};
  alignas(cmsghdr) char control[kControlBytes] = {};
  msghdr header{};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  if (!descriptors.empty()) {
    const std::size_t size = descriptors.size_bytes();
    header.msg_control = control;
    header.msg_controllen = CMSG_SPACE(size);
    cmsghdr* rights = CMSG_FIRSTHDR(&header);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(size);
    std::memcpy(CMSG_DATA(rights), descriptors.data(), size);
  }
  while (sendmsg(socket, &header, MSG_NOSIGNAL) < 0) {
    if (errno != EINTR) return ErrorFromErrno("sendmsg", errno);
  }
  return {};
}

Result<Message> ReceiveMessage(int socket, std::size_t limit) {
  Message message;
  message.bytes.resize(limit);
  iovec part{message.bytes.data(), message.bytes.size()};
  alignas(cmsghdr) char control[kControlBytes] = {};
  msghdr header{};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  header.msg_control = control;
  header.msg_controllen = sizeof control;
  ssize_t received = 0;
  do {
    received = recvmsg(socket, &header, MSG_CMSG_CLOEXEC);
  } while (received < 0 && errno == EINTR);
  if (received < 0) return ErrorFromErrno("recvmsg", errno);
  message.descriptors = TakeDescriptors(header);
  if ((header.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) != 0) return TooLarge();
  message.bytes.resize(static_cast<std::size_t>(received));
  return message;
}

}  // namespace cordon::platform
