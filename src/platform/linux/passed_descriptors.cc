#include "platform/passed_descriptors.h"

#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <memory>

#include "platform/linux/error_from_errno.h"

namespace cordon::platform {
namespace {

constexpr std::size_t kSpace = CMSG_SPACE(kMostPassed * sizeof(int));

void Collect(msghdr& message, std::vector<UniqueFd>& descriptors) {
  for (cmsghdr* part = CMSG_FIRSTHDR(&message); part != nullptr;
       part = CMSG_NXTHDR(&message, part)) {
    if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS) continue;
    const std::size_t count = (part->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (std::size_t i = 0; i < count; ++i) {
      int descriptor = -1;
      std::memcpy(&descriptor, CMSG_DATA(part) + i * sizeof(int), sizeof(int));
      descriptors.emplace_back(descriptor);
    }
  }
}

}  // namespace

Result<MessagePair> MakeMessagePair() {
  std::array<int, 2> ends = {-1, -1};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    return ErrorFromErrno("socketpair", errno);
  }
  return MessagePair{UniqueFd(ends[0]), UniqueFd(ends[1])};
}

Status SendMessage(int socket, std::string_view bytes, std::span<const int> descriptors) {
  if (descriptors.size() > kMostPassed) return ErrorFromErrno("sendmsg", EFBIG);
  iovec part = {const_cast<char*>(bytes.data()), bytes.size()};
  alignas(cmsghdr) std::array<char, kSpace> space = {};
  msghdr message = {};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  if (!descriptors.empty()) {
    message.msg_control = space.data();
    message.msg_controllen = CMSG_SPACE(descriptors.size_bytes());
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(descriptors.size_bytes());
    std::memcpy(CMSG_DATA(header), descriptors.data(), descriptors.size_bytes());
  }
  while (::sendmsg(socket, &message, MSG_NOSIGNAL) < 0) {
    if (errno != EINTR) return ErrorFromErrno("sendmsg", errno);
  }
  return {};
}

Result<Received> ReceiveMessage(int socket, std::size_t most) {
  Received received;
  // Not filled with zeros: of much room little is used.
  const auto room = std::make_unique_for_overwrite<char[]>(most);
  iovec part = {room.get(), most};
  alignas(cmsghdr) std::array<char, kSpace> space = {};
  msghdr message = {};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = space.data();
  message.msg_controllen = space.size();
  ssize_t size = -1;
  do {
    size = ::recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  } while (size < 0 && errno == EINTR);
  if (size < 0) return ErrorFromErrno("recvmsg", errno);
  Collect(message, received.descriptors);
  if ((message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) != 0) return ErrorFromErrno("recvmsg", EFBIG);
  received.bytes.assign(room.get(), static_cast<std::size_t>(size));
  return received;
}

}  // namespace cordon::platform
