#include "platform/open.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "platform/linux/error_from_errno.h"

namespace cordon::platform {
namespace {

constexpr int kAlways = O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
constexpr mode_t kNewFileMode = 0666;
constexpr mode_t kPrivateFileMode = 0600;

int FlagsFor(OpenIntent intent) {
  switch (intent) {
    // O_PATH takes few flags beside itself: openat2 refuses the others.
    case OpenIntent::kReference: return O_PATH | O_CLOEXEC | O_NOFOLLOW;
    case OpenIntent::kListDirectory: return O_RDONLY | O_DIRECTORY | kAlways;
    case OpenIntent::kRead: return O_RDONLY | kAlways;
    case OpenIntent::kWrite: return O_WRONLY | kAlways;
    case OpenIntent::kReadWrite: return O_RDWR | kAlways;
    case OpenIntent::kCreate: return O_WRONLY | O_CREAT | kAlways;
    case OpenIntent::kCreateExclusive:
    case OpenIntent::kCreatePrivate: return O_WRONLY | O_CREAT | O_EXCL | kAlways;
    case OpenIntent::kAppend: return O_WRONLY | O_CREAT | O_APPEND | kAlways;
    case OpenIntent::kAppendExisting: return O_WRONLY | O_APPEND | kAlways;
  }
  return O_PATH | O_CLOEXEC | O_NOFOLLOW;
}

Result<UniqueFd> Openat2(int root, const char* path, int flags, MustBe must_be,
                         MountCrossing mounts) {
  open_how how = {};
  how.flags = static_cast<__u64>(flags);
  if (must_be == MustBe::kDirectory) how.flags |= O_DIRECTORY;
  if ((flags & O_CREAT) != 0) how.mode = kNewFileMode;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS | RESOLVE_NO_SYMLINKS;
  if (mounts == MountCrossing::kRefuse) how.resolve |= RESOLVE_NO_XDEV;
  const long fd = ::syscall(SYS_openat2, root, path, &how, sizeof how);
  if (fd < 0) return ErrorFromErrno("openat2", errno);
  return UniqueFd(static_cast<int>(fd));
}

}  // namespace

Result<UniqueFd> OpenLinkFree(int root, const char* path, OpenIntent intent, MustBe must_be,
                              MountCrossing mounts) {
  return Openat2(root, path, FlagsFor(intent), must_be, mounts);
}

Result<UniqueFd> OpenReferenceNoLink(int root, const char* path, MustBe must_be,
                                     MountCrossing mounts) {
  return Openat2(root, path, O_PATH | O_CLOEXEC, must_be, mounts);
}

Status CheckOpenLinkFree(int root) {
  auto opened =
      OpenLinkFree(root, ".", OpenIntent::kReference, MustBe::kDirectory, MountCrossing::kRefuse);
  if (!opened) return opened.error();
  return {};
}

Result<UniqueFd> OpenEntry(int directory, const char* name, OpenIntent intent) {
  const mode_t mode = intent == OpenIntent::kCreatePrivate ? kPrivateFileMode : kNewFileMode;
  const int fd = ::openat(directory, name, FlagsFor(intent) | O_NOFOLLOW, mode);
  if (fd < 0) return ErrorFromErrno("openat", errno);
  return UniqueFd(fd);
}

Result<UniqueFd> ReopenDirectory(int directory) {
  return OpenEntry(directory, ".", OpenIntent::kListDirectory);
}

Status CheckAccess(int fd, AccessKind kind) {
  // The raw call: the C library's wrapper answers for the real user on some systems.
  const int mode = kind == AccessKind::kRead ? R_OK : W_OK;
  if (::syscall(SYS_faccessat2, fd, "", mode, AT_EMPTY_PATH | AT_EACCESS) == 0) return {};
  if (errno == EACCES || errno == EROFS || errno == EPERM) {
    return ErrorFromErrno("faccessat2", EACCES);
  }
  return ErrorFromErrno("faccessat2", errno);
}

}  // namespace cordon::platform
