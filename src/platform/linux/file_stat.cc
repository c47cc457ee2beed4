#include "platform/file_stat.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <cerrno>

#include "platform/linux/error_from_errno.h"

#ifndef STATX_MNT_ID
#define STATX_MNT_ID 0x00001000U
#endif

namespace cordon::platform {
namespace {

FileType TypeOf(mode_t mode) {
  switch (mode & S_IFMT) {
    case S_IFREG: return FileType::kRegular;
    case S_IFDIR: return FileType::kDirectory;
    case S_IFLNK: return FileType::kSymlink;
    case S_IFIFO: return FileType::kFifo;
    case S_IFSOCK: return FileType::kSocket;
    case S_IFBLK:
    case S_IFCHR: return FileType::kDevice;
    default: return FileType::kUnknown;
  }
}

std::int64_t Nanoseconds(const timespec& time) {
  return static_cast<std::int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

FileStat FromSystem(const struct stat& raw) {
  FileStat stat;
  stat.type = TypeOf(raw.st_mode);
  stat.identity = {static_cast<std::uint64_t>(raw.st_dev), static_cast<std::uint64_t>(raw.st_ino)};
  stat.mode = raw.st_mode & 07777U;
  stat.owner = raw.st_uid;
  stat.group = raw.st_gid;
  stat.links = raw.st_nlink;
  stat.size = static_cast<std::uint64_t>(raw.st_size);
  stat.modified_ns = Nanoseconds(raw.st_mtim);
  stat.accessed_ns = Nanoseconds(raw.st_atim);
  return stat;
}

}  // namespace

Result<FileStat> StatDescriptor(int fd) {
  struct stat raw;
  if (::fstat(fd, &raw) != 0) return ErrorFromErrno("fstat", errno);
  return FromSystem(raw);
}

Result<FileStat> StatEntry(int directory, const char* name) {
  struct stat raw;
  int failed = ::fstatat(directory, name, &raw, AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT);
  // gVisor, which mounts nothing by itself, does not know the flag.
  if (failed != 0 && errno == EINVAL)
    failed = ::fstatat(directory, name, &raw, AT_SYMLINK_NOFOLLOW);
  if (failed != 0) return ErrorFromErrno("fstatat", errno);
  return FromSystem(raw);
}

std::optional<std::int64_t> BirthTimeOf(int fd) {
  struct statx raw = {};
  if (::statx(fd, "", AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW, STATX_BTIME, &raw) != 0) {
    return std::nullopt;
  }
  if ((raw.stx_mask & STATX_BTIME) == 0) return std::nullopt;
  return Nanoseconds({raw.stx_btime.tv_sec, static_cast<long>(raw.stx_btime.tv_nsec)});
}

Result<FileExtent> ExtentOf(int fd) {
  struct statx raw = {};
  constexpr unsigned kWanted = STATX_SIZE | STATX_NLINK;
  if (::statx(fd, "", AT_EMPTY_PATH, kWanted, &raw) != 0) return ErrorFromErrno("statx", errno);
  if ((raw.stx_mask & kWanted) != kWanted) return ErrorFromErrno("statx", EOPNOTSUPP);
  return FileExtent{raw.stx_size, raw.stx_nlink};
}

Result<std::uint64_t> MountIdOf(int fd) {
  struct statx raw = {};
  if (::statx(fd, "", AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW, STATX_MNT_ID, &raw) != 0) {
    return ErrorFromErrno("statx", errno);
  }
  if ((raw.stx_mask & STATX_MNT_ID) == 0) return ErrorFromErrno("statx", EOPNOTSUPP);
  return static_cast<std::uint64_t>(raw.stx_mnt_id);
}

}  // namespace cordon::platform
