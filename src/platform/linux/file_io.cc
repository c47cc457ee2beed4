#include "platform/file_io.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "platform/linux/error_from_errno.h"

namespace cordon::platform {

Result<std::size_t> Read(int fd, std::span<char> buffer) {
  ssize_t count;
  do {
    count = ::read(fd, buffer.data(), buffer.size());
  } while (count < 0 && errno == EINTR);
  if (count < 0) return ErrorFromErrno("read", errno);
  return static_cast<std::size_t>(count);
}

Result<std::size_t> ReadAt(int fd, std::uint64_t offset, std::span<char> buffer) {
  ssize_t count;
  do {
    count = ::pread(fd, buffer.data(), buffer.size(), static_cast<off_t>(offset));
  } while (count < 0 && errno == EINTR);
  if (count < 0) return ErrorFromErrno("pread", errno);
  return static_cast<std::size_t>(count);
}

Status WriteAll(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(fd, bytes.data(), bytes.size());
    if (count < 0) {
      if (errno == EINTR) continue;
      return ErrorFromErrno("write", errno);
    }
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return {};
}

Status WriteAllAt(int fd, std::uint64_t offset, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::pwrite(fd, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (count < 0) {
      if (errno == EINTR) continue;
      return ErrorFromErrno("pwrite", errno);
    }
    bytes.remove_prefix(static_cast<std::size_t>(count));
    offset += static_cast<std::uint64_t>(count);
  }
  return {};
}

Status Truncate(int fd, std::uint64_t size) {
  if (::ftruncate(fd, static_cast<off_t>(size)) != 0) return ErrorFromErrno("ftruncate", errno);
  return {};
}

Result<std::uint64_t> Seek(int fd, std::uint64_t offset) {
  const off_t position = ::lseek(fd, static_cast<off_t>(offset), SEEK_SET);
  if (position < 0) return ErrorFromErrno("lseek", errno);
  return static_cast<std::uint64_t>(position);
}

Status SyncFile(int fd) {
  if (::fsync(fd) != 0) return ErrorFromErrno("fsync", errno);
  return {};
}

Status SyncData(int fd) {
  if (::fdatasync(fd) != 0) return ErrorFromErrno("fdatasync", errno);
  return {};
}

Status SetMode(int fd, std::uint32_t mode) {
  if (::fchmod(fd, mode) != 0) return ErrorFromErrno("fchmod", errno);
  return {};
}

Status SetModified(int fd, std::int64_t modified_ns) {
  constexpr std::int64_t kNsPerSecond = 1'000'000'000;
  std::int64_t seconds = modified_ns / kNsPerSecond;
  std::int64_t rest = modified_ns % kNsPerSecond;
  if (rest < 0) {
    rest += kNsPerSecond;
    --seconds;
  }
  const timespec times[2] = {{0, UTIME_OMIT}, {seconds, rest}};
  if (::futimens(fd, times) != 0) return ErrorFromErrno("futimens", errno);
  return {};
}

Status SetOwner(int fd, std::uint32_t owner, std::uint32_t group) {
  if (::fchown(fd, owner, group) != 0) return ErrorFromErrno("fchown", errno);
  return {};
}

}  // namespace cordon::platform
