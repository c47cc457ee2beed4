#include "platform/disk_space.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include <cerrno>

#include "platform/linux/error_from_errno.h"

namespace cordon::platform {
namespace {

constexpr std::uint64_t kUnit = 512;  // of st_blocks, whatever the file system's own

FileType TypeOf(mode_t mode) {
  switch (mode & S_IFMT) {
    case S_IFREG: return FileType::kRegular;
    case S_IFDIR: return FileType::kDirectory;
    case S_IFLNK: return FileType::kSymlink;
    case S_IFIFO: return FileType::kFifo;
    case S_IFSOCK: return FileType::kSocket;
    case S_IFCHR:
    case S_IFBLK: return FileType::kDevice;
    default: return FileType::kUnknown;
  }
}

Allocation From(const struct stat& told) {
  return {TypeOf(told.st_mode),
          {told.st_dev, told.st_ino},
          told.st_nlink,
          static_cast<std::uint64_t>(told.st_blocks) * kUnit};
}

}  // namespace

Result<Allocation> AllocationOf(int fd) {
  struct stat told = {};
  if (::fstat(fd, &told) != 0) return ErrorFromErrno("fstat", errno);
  return From(told);
}

Result<Allocation> AllocationOfEntry(int directory, const char* name) {
  struct stat told = {};
  if (::fstatat(directory, name, &told, AT_SYMLINK_NOFOLLOW) != 0) {
    return ErrorFromErrno("fstatat", errno);
  }
  return From(told);
}

Result<DiskRoom> RoomOfDisk(int fd) {
  struct statvfs told = {};
  if (::fstatvfs(fd, &told) != 0) return ErrorFromErrno("fstatvfs", errno);
  const std::uint64_t block = told.f_frsize;
  return DiskRoom{told.f_blocks * block, told.f_bfree * block, told.f_bavail * block};
}

}  // namespace cordon::platform
