#include "platform/syscall_listener.h"

#include <fcntl.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "platform/linux/error_from_errno.h"
#include "platform/linux/newer_calls.h"

namespace cordon::platform {
namespace {

constexpr unsigned long kSetFlags = _IOW('!', 4, std::uint64_t);  // SECCOMP_IOCTL_NOTIF_SET_FLAGS

void Answer(int fd, std::uint64_t id, std::int64_t value, int os_errno) {
  seccomp_notif_resp response = {};
  response.id = id;
  response.val = value;
  response.error = -os_errno;
  // Fails only when nobody waits any more.
  (void)::ioctl(fd, SECCOMP_IOCTL_NOTIF_SEND, &response);
}

}  // namespace

Result<SyscallListener> SyscallListener::Adopt(UniqueFd listener) {
  seccomp_notif_sizes sizes = {};
  if (::syscall(SYS_seccomp, SECCOMP_GET_NOTIF_SIZES, 0, &sizes) != 0) {
    return ErrorFromErrno("seccomp", errno);
  }
  if (sizes.seccomp_notif > sizeof(seccomp_notif) ||
      sizes.seccomp_notif_resp > sizeof(seccomp_notif_resp)) {
    return ErrorFromErrno("seccomp", ENOSYS);
  }
  // Who answers goes to sleep right afterwards, so the process may run at once on the same
  // core. Older kernels lack it and are slower.
  (void)::ioctl(listener.get(), kSetFlags, kListenerSyncWakeUp);
  return SyscallListener(std::move(listener));
}

// The kernel counts calls, also those of processes that died: after each of them it has an
// answer at once, be it that nobody is there.
std::optional<Notification> SyscallListener::Receive() const {
  seccomp_notif raw = {};
  if (::ioctl(fd_.get(), SECCOMP_IOCTL_NOTIF_RECV, &raw) != 0) return std::nullopt;
  Notification notification;
  notification.id = raw.id;
  notification.thread = static_cast<int>(raw.pid);
  notification.call = raw.data.nr;
  std::copy_n(std::begin(raw.data.args), notification.arguments.size(),
              notification.arguments.begin());
  return notification;
}

bool SyscallListener::Waits(std::uint64_t id) const {
  return ::ioctl(fd_.get(), SECCOMP_IOCTL_NOTIF_ID_VALID, &id) == 0;
}

void SyscallListener::Fail(std::uint64_t id, int os_errno) const {
  Answer(fd_.get(), id, 0, os_errno);
}

void SyscallListener::Succeed(std::uint64_t id, std::int64_t value) const {
  Answer(fd_.get(), id, value, 0);
}

void SyscallListener::Give(std::uint64_t id, int fd, OnExec on_exec) const {
  seccomp_notif_addfd add = {};
  add.id = id;
  add.flags = SECCOMP_ADDFD_FLAG_SEND;
  add.srcfd = static_cast<std::uint32_t>(fd);
  add.newfd_flags = on_exec == OnExec::kClose ? O_CLOEXEC : 0;
  if (::ioctl(fd_.get(), SECCOMP_IOCTL_NOTIF_ADDFD, &add) >= 0) return;
  // EMFILE is the process's own; whatever else went wrong, it gets nothing.
  if (errno != ENOENT) Fail(id, errno == EMFILE ? EMFILE : EACCES);
}

}  // namespace cordon::platform
