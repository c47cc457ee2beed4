#include "platform/file_lock.h"

#include <sys/file.h>

#include <cerrno>
#include <utility>

#include "platform/linux/error_from_errno.h"

namespace cordon::platform {

Result<FileLock> FileLock::Take(int fd, Kind kind) {
  const int operation = kind == Kind::kShared ? LOCK_SH : LOCK_EX;
  while (::flock(fd, operation) != 0) {
    if (errno != EINTR) return ErrorFromErrno("flock", errno);
  }
  return FileLock(fd);
}

Result<FileLock> FileLock::TryTake(int fd, Kind kind) {
  const int operation = kind == Kind::kShared ? LOCK_SH : LOCK_EX;
  while (::flock(fd, operation | LOCK_NB) != 0) {
    if (errno == EINTR) continue;
    Error error = ErrorFromErrno("flock", errno);
    if (errno == EWOULDBLOCK) error.code = ErrorCode::kTimeout;
    return error;
  }
  return FileLock(fd);
}

FileLock::FileLock(FileLock&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}

FileLock::~FileLock() {
  if (fd_ >= 0) ::flock(fd_, LOCK_UN);
}

}  // namespace cordon::platform
