#include "platform/private_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string>

#include "base/try.h"
#include "platform/file_stat.h"
#include "platform/linux/error_from_errno.h"

namespace cordon::platform {
namespace {

constexpr mode_t kPrivateDirectory = 0700;
constexpr mode_t kPrivateFile = 0600;
constexpr std::uint32_t kOthers = 0077;
constexpr std::uint32_t kOthersWrite = 0022;  // with an access list, all that it grants at most

Error Refuse(ErrorCode code, const char* name, std::string_view why) {
  Error error;
  error.code = code;
  error.op = "open";
  error.component = name;
  error.detail = std::string(name) + " " + std::string(why);
  return error;
}

Status CheckPrivate(int fd, const char* name) {
  TRY_ASSIGN(const FileStat stat, StatDescriptor(fd));
  if (stat.type != FileType::kRegular) {
    return Refuse(ErrorCode::kNotARegularFile, name, "is not a regular file");
  }
  if (stat.owner != ::geteuid()) {
    return Refuse(ErrorCode::kPermissionDenied, name, "belongs to another user");
  }
  if ((stat.mode & kOthers) != 0) {
    return Refuse(ErrorCode::kPermissionDenied, name,
                  "is open to other users; its mode must be 0600");
  }
  if (stat.links != 1) {
    return Refuse(ErrorCode::kPermissionDenied, name, "has a second name (hard link) or none");
  }
  return {};
}

int FlagsFor(PrivateAccess access) {
  switch (access) {
    case PrivateAccess::kRead: return O_RDONLY;
    case PrivateAccess::kReadWrite: return O_RDWR;
    case PrivateAccess::kMakeIfMissing: return O_RDWR | O_CREAT;
    case PrivateAccess::kCreateExclusive: return O_RDWR | O_CREAT | O_EXCL;
  }
  return O_RDONLY;
}

Result<UniqueFd> OpenDirectory(const std::string& path) {
  UniqueFd fd(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd.valid()) return ErrorFromErrno("open", errno);
  return fd;
}

Result<UniqueFd> OpenOrMakeDirectory(const std::string& whole, MissingDirectory missing) {
  auto opened = OpenDirectory(whole);
  if (opened || opened.error().os_errno != ENOENT || missing == MissingDirectory::kRefuse) {
    return opened;
  }
  const std::size_t end = whole.find_last_not_of('/');
  if (end == std::string::npos) return opened;
  const std::size_t slash = whole.rfind('/', end);
  TRY_ASSIGN(const UniqueFd parent,
             OpenOrMakeDirectory(slash == 0 ? "/" : whole.substr(0, slash), missing));
  const std::string name = whole.substr(slash + 1, end - slash);
  if (::mkdirat(parent.get(), name.c_str(), kPrivateDirectory) != 0 && errno != EEXIST) {
    return ErrorFromErrno("mkdirat", errno);
  }
  if (::fsync(parent.get()) != 0) return ErrorFromErrno("fsync", errno);
  return OpenDirectory(whole);
}

// Whoever may write to a directory may remove and rename what stands in it, whatever
// the modes of the files; the sticky bit leaves that to their owners.
Status CheckDirectory(int fd, const std::string& path) {
  TRY_ASSIGN(const FileStat stat, StatDescriptor(fd));
  if (stat.owner != ::geteuid() && stat.owner != 0) {
    return Refuse(ErrorCode::kPermissionDenied, path.c_str(), "belongs to another user");
  }
  if ((stat.mode & kOthersWrite) != 0 && (stat.mode & S_ISVTX) == 0) {
    return Refuse(ErrorCode::kPermissionDenied, path.c_str(),
                  "can be written to by other users; take that away (chmod go-w)");
  }
  return {};
}

}  // namespace

Result<UniqueFd> OpenStateDirectory(std::string_view path, MissingDirectory missing) {
  if (path.empty() || path.front() != '/' || path.find('\0') != std::string_view::npos) {
    return ErrorFromErrno("open", EINVAL);
  }
  const std::string whole(path);
  TRY_ASSIGN(UniqueFd directory, OpenOrMakeDirectory(whole, missing));
  TRY(CheckDirectory(directory.get(), whole));
  return directory;
}

Result<UniqueFd> OpenPrivateFile(int directory, const char* name, PrivateAccess access) {
  const int flags = FlagsFor(access) | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
  UniqueFd fd(::openat(directory, name, flags, kPrivateFile));
  if (!fd.valid()) {
    if (errno == ELOOP) return Refuse(ErrorCode::kNotARegularFile, name, "is a symbolic link");
    if (errno == EISDIR) return Refuse(ErrorCode::kNotARegularFile, name, "is a directory");
    Error error = ErrorFromErrno("openat", errno);
    error.component = name;
    error.detail = std::string(name) + ": " + error.detail;
    return error;
  }
  TRY(CheckPrivate(fd.get(), name));
  return fd;
}

Status RenameNoReplace(int directory, const char* name, const char* new_name) {
  if (::renameat2(directory, name, directory, new_name, RENAME_NOREPLACE) == 0) return {};
  if (errno != EINVAL && errno != ENOSYS) return ErrorFromErrno("renameat2", errno);
  // A file system without it: a second name fails just so, and the first goes after.
  if (::linkat(directory, name, directory, new_name, 0) != 0) {
    return ErrorFromErrno("linkat", errno);
  }
  if (::unlinkat(directory, name, 0) != 0) return ErrorFromErrno("unlinkat", errno);
  return {};
}

}  // namespace cordon::platform
