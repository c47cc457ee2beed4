#include "platform/supervised_call.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/un.h>
#include <utime.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <span>

#include "platform/linux/newer_calls.h"
#include "platform/other_process.h"

namespace cordon::platform {
namespace {

using FinalLink = NamedPath::FinalLink;
using Empty = NamedPath::Empty;

constexpr std::size_t kMaxAttributeName = 256, kMaxAttributeValue = 65536;
constexpr std::uint64_t kKnownResolve = 0x3f;
constexpr std::uint64_t kOpenBits = 0x7fffc3 | O_LARGEFILE;  // VALID_OPEN_FLAGS, generously

template <typename T>
int ReadValue(int thread, std::uint64_t address, T& value) {
  return ReadMemory(thread, address, {reinterpret_cast<char*>(&value), sizeof value});
}

NamedPath Path(std::uint64_t address, FinalLink link = FinalLink::kFollow) {
  return {kWorkingDirectory, address, link, Empty::kRefused};
}
NamedPath PathAt(std::uint64_t directory, std::uint64_t address,
                 FinalLink link = FinalLink::kFollow) {
  return {static_cast<int>(directory), address, link, Empty::kRefused};
}
// With AT_SYMLINK_NOFOLLOW and AT_EMPTY_PATH; others are refused.
int PathWith(std::uint64_t directory, std::uint64_t address, std::uint64_t flags, NamedPath& path) {
  const auto bits = static_cast<unsigned>(flags);
  if ((bits & ~static_cast<unsigned>(AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH)) != 0) return -EINVAL;
  path = PathAt(directory, address,
                (bits & AT_SYMLINK_NOFOLLOW) != 0 ? FinalLink::kTake : FinalLink::kFollow);
  if ((bits & AT_EMPTY_PATH) != 0) path.empty = Empty::kDescriptor;
  // The kernel takes a missing path for an empty one then, in newer versions.
  return 0;
}
NamedPath OfDescriptor(std::uint64_t descriptor) {
  return {static_cast<int>(descriptor), 0, FinalLink::kFollow, Empty::kDescriptor};
}

OpenWish Opening(const NamedPath& path, std::uint64_t flags, std::uint64_t mode) {
  OpenWish wish;
  wish.path = path;
  wish.flags = static_cast<int>(flags);
  const int bits = wish.flags;
  wish.reference = (bits & O_PATH) != 0;
  // Like the kernel: a reference knows three flags and ignores the rest.
  if (wish.reference) wish.flags &= O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  const int access = wish.flags & O_ACCMODE;
  wish.read = !wish.reference && access != O_WRONLY;
  wish.write = access != O_RDONLY;
  wish.truncate = (wish.flags & O_TRUNC) != 0;
  wish.create = (wish.flags & O_CREAT) != 0;
  wish.exclusive = wish.create && (wish.flags & O_EXCL) != 0;
  wish.temporary = (wish.flags & O_TMPFILE) == O_TMPFILE;
  wish.directory = (wish.flags & O_DIRECTORY) != 0;
  wish.no_follow = (wish.flags & O_NOFOLLOW) != 0 || wish.exclusive;
  wish.non_blocking = (wish.flags & O_NONBLOCK) != 0;
  wish.close_on_exec = (wish.flags & O_CLOEXEC) != 0;
  wish.mode = static_cast<std::uint32_t>(mode) & 07777;
  wish.path.final_link = wish.no_follow ? FinalLink::kTake : FinalLink::kFollow;
  return wish;
}

int CheckOpening(const OpenWish& wish) {
  const bool half_temporary = (wish.flags & O_TMPFILE & ~O_DIRECTORY) != 0 && !wish.temporary;
  if (half_temporary || (wish.temporary && !wish.write)) return -EINVAL;
  if (wish.create && wish.directory) return -EINVAL;  // as of Linux 6.4
  return 0;
}

int DecodeOpenat2(int thread, const std::array<std::uint64_t, 6>& a, SupervisedCall& call) {
  if (a[3] < sizeof(open_how)) return -EINVAL;
  if (a[3] > 4096) return -E2BIG;
  std::array<char, 4096> bytes = {};
  if (const int failed = ReadMemory(thread, a[2], std::span(bytes).first(a[3])); failed != 0) {
    return failed;
  }
  if (std::any_of(bytes.begin() + sizeof(open_how), bytes.begin() + static_cast<long>(a[3]),
                  [](char byte) { return byte != 0; })) {
    return -E2BIG;
  }
  open_how how;
  std::memcpy(&how, bytes.data(), sizeof how);
  const bool makes = (how.flags & O_CREAT) != 0 || (how.flags & O_TMPFILE) == O_TMPFILE;
  if ((how.flags & ~kOpenBits) != 0 || (how.resolve & ~kKnownResolve) != 0) return -EINVAL;
  if ((how.mode & ~07777ULL) != 0 || (!makes && how.mode != 0)) return -EINVAL;
  if ((how.resolve & RESOLVE_BENEATH) != 0 && (how.resolve & RESOLVE_IN_ROOT) != 0) return -EINVAL;
  OpenWish wish = Opening(PathAt(a[0], a[1]), how.flags, how.mode);
  wish.resolve = how.resolve;
  // A reference cannot be put into a process, and here its flags could still be changed.
  if (wish.reference) return -ENOSYS;
  call = wish;
  return CheckOpening(wish);
}

int DecodeOpen(const OpenWish& wish, SupervisedCall& call) {
  call = wish;
  return CheckOpening(wish);
}

// Reads the times in one of three forms.
template <typename Pair>
int Times(int thread, std::uint64_t address, std::int64_t scale, TimesWish& wish) {
  if (address == 0) return 0;
  std::array<Pair, 2> raw;
  if (const int failed = ReadValue(thread, address, raw); failed != 0) return failed;
  auto& times = wish.times.emplace();
  for (std::size_t i = 0; i < 2; ++i) {
    std::array<std::int64_t, 2> fields;
    static_assert(sizeof fields == sizeof raw[i]);
    std::memcpy(fields.data(), &raw[i], sizeof fields);
    if (scale != 1 && (fields[1] < 0 || fields[1] >= 1'000'000)) return -EINVAL;
    times[i] = {fields[0], fields[1] * scale};
  }
  return 0;
}

int DecodeUtime(int thread, const std::array<std::uint64_t, 6>& a, SupervisedCall& call) {
  TimesWish wish;
  if (a[1] != 0) {
    utimbuf raw;
    if (const int failed = ReadValue(thread, a[1], raw); failed != 0) return failed;
    wish.times = {{{raw.actime, 0}, {raw.modtime, 0}}};
  }
  call = ChangeWish{Path(a[0]), wish};
  return 0;
}

template <typename Pair>
int DecodeTimes(int thread, const NamedPath& path, std::uint64_t address, std::int64_t scale,
                SupervisedCall& call) {
  TimesWish wish;
  const int failed = Times<Pair>(thread, address, scale, wish);
  call = ChangeWish{path, wish};
  return failed;
}

int DecodeUtimensat(int thread, const std::array<std::uint64_t, 6>& a, SupervisedCall& call) {
  if (a[1] == 0) {  // of a descriptor
    if (static_cast<int>(a[0]) == AT_FDCWD) return -EFAULT;
    return DecodeTimes<timespec>(thread, OfDescriptor(a[0]), a[2], 1, call);
  }
  NamedPath path;
  if (const int failed = PathWith(a[0], a[1], a[3], path); failed != 0) return failed;
  return DecodeTimes<timespec>(thread, path, a[2], 1, call);
}

int DecodeSetAttribute(int thread, const NamedPath& path, std::uint64_t name, std::uint64_t value,
                       std::uint64_t size, std::uint64_t flags, SupervisedCall& call) {
  AttributeWish wish;
  if (const int failed = ReadText(thread, name, wish.name); failed != 0) {
    return failed == -ENAMETOOLONG ? -ERANGE : failed;
  }
  if (wish.name.empty() || wish.name.size() >= kMaxAttributeName) return -ERANGE;
  if (size > kMaxAttributeValue) return -E2BIG;
  wish.value.emplace(static_cast<std::size_t>(size), '\0');
  if (size != 0) {
    if (const int failed = ReadMemory(thread, value, *wish.value); failed != 0) return failed;
  }
  wish.flags = static_cast<int>(flags);
  call = ChangeWish{path, std::move(wish)};
  return 0;
}

int DecodeSetAttributeAt(int thread, const std::array<std::uint64_t, 6>& a, SupervisedCall& call) {
  NamedPath path;
  if (const int failed = PathWith(a[0], a[1], a[2], path); failed != 0) return failed;
  XattrArguments raw;
  if (a[5] < sizeof raw) return -EINVAL;
  if (a[5] > sizeof raw) return -E2BIG;
  if (const int failed = ReadValue(thread, a[4], raw); failed != 0) return failed;
  return DecodeSetAttribute(thread, path, a[3], raw.value, raw.size, raw.flags, call);
}

int DecodeRemoveAttribute(int thread, const NamedPath& path, std::uint64_t name,
                          SupervisedCall& call) {
  AttributeWish wish;
  if (const int failed = ReadText(thread, name, wish.name); failed != 0) {
    return failed == -ENAMETOOLONG ? -ERANGE : failed;
  }
  if (wish.name.empty() || wish.name.size() >= kMaxAttributeName) return -ERANGE;
  call = ChangeWish{path, std::move(wish)};
  return 0;
}

int DecodeSocket(int thread, SocketWish::What what, const std::array<std::uint64_t, 6>& a,
                 SupervisedCall& call) {
  SocketWish wish;
  wish.what = what;
  wish.socket = static_cast<int>(a[0]);
  const auto size = static_cast<int>(a[2]);
  if (size < 0 || size > static_cast<int>(sizeof(sockaddr_storage))) return -EINVAL;
  wish.address.resize(static_cast<std::size_t>(size));
  if (size > 0) {
    if (const int failed = ReadMemory(thread, a[1], wish.address); failed != 0) return failed;
  }
  constexpr std::size_t kBefore = offsetof(sockaddr_un, sun_path);
  sa_family_t family = AF_UNSPEC;
  if (wish.address.size() >= sizeof family)
    std::memcpy(&family, wish.address.data(), sizeof family);
  if (family == AF_UNIX && wish.address.size() > kBefore && wish.address[kBefore] != '\0') {
    wish.local_path = wish.address.c_str() + kBefore;  // ends where the bytes end at the latest
  }
  call = std::move(wish);
  return 0;
}

int DecodeChange(NamedPath path, decltype(ChangeWish::change) change, SupervisedCall& call) {
  call = ChangeWish{path, std::move(change)};
  return 0;
}

int DecodeUnlinkat(const std::array<std::uint64_t, 6>& a, SupervisedCall& call) {
  const auto flags = static_cast<unsigned>(a[2]);
  if ((flags & ~static_cast<unsigned>(AT_REMOVEDIR)) != 0) return -EINVAL;
  call = RemoveWish{PathAt(a[0], a[1]),
                    flags != 0 ? RemoveWish::What::kDirectory : RemoveWish::What::kFile};
  return 0;
}

int DecodeLinkat(const std::array<std::uint64_t, 6>& a, SupervisedCall& call) {
  const auto flags = static_cast<unsigned>(a[4]);
  if ((flags & ~static_cast<unsigned>(AT_SYMLINK_FOLLOW | AT_EMPTY_PATH)) != 0) return -EINVAL;
  LinkWish wish{PathAt(a[0], a[1]), PathAt(a[2], a[3])};
  wish.from.final_link = (flags & AT_SYMLINK_FOLLOW) != 0 ? FinalLink::kFollow : FinalLink::kTake;
  if ((flags & AT_EMPTY_PATH) != 0) wish.from.empty = Empty::kDescriptor;
  call = wish;
  return 0;
}

int DecodeAt(std::uint64_t directory, std::uint64_t address, std::uint64_t flags,
             decltype(ChangeWish::change) change, SupervisedCall& call) {
  NamedPath path;
  if (const int failed = PathWith(directory, address, flags, path); failed != 0) return failed;
  return DecodeChange(path, std::move(change), call);
}

ModeWish Mode(std::uint64_t mode) { return {static_cast<std::uint32_t>(mode) & 07777}; }
OwnerWish Owner(std::uint64_t user, std::uint64_t group) {
  return {static_cast<std::uint32_t>(user), static_cast<std::uint32_t>(group)};
}

int Renaming(const NamedPath& from, const NamedPath& to, std::uint64_t flags,
             SupervisedCall& call) {
  constexpr std::uint32_t kExchange = 2;  // RENAME_EXCHANGE
  const auto bits = static_cast<std::uint32_t>(flags);
  call = RenameWish{from, to, bits, (bits & kExchange) != 0};
  return 0;
}

template <typename Wish>
int Simply(Wish wish, SupervisedCall& call) {
  call = std::move(wish);
  return 0;
}

// The calls that newer architectures do not have.
int DecodeOld([[maybe_unused]] const Notification& notification,
              [[maybe_unused]] SupervisedCall& call) {
#ifdef SYS_open
  const auto& a = notification.arguments;
  const int thread = notification.thread;
  switch (notification.call) {
    case SYS_open: return DecodeOpen(Opening(Path(a[0]), a[1], a[2]), call);
    case SYS_creat:
      return DecodeOpen(Opening(Path(a[0]), O_CREAT | O_WRONLY | O_TRUNC, a[1]), call);
    case SYS_rename: return Renaming(Path(a[0]), Path(a[1]), 0, call);
    case SYS_link: return Simply(LinkWish{Path(a[0], FinalLink::kTake), Path(a[1])}, call);
    case SYS_symlink: return Simply(SymlinkWish{a[0], Path(a[1])}, call);
    case SYS_unlink: return Simply(RemoveWish{Path(a[0]), RemoveWish::What::kFile}, call);
    case SYS_rmdir: return Simply(RemoveWish{Path(a[0]), RemoveWish::What::kDirectory}, call);
    case SYS_mkdir:
      return Simply(MakeDirectoryWish{Path(a[0]), static_cast<std::uint32_t>(a[1])}, call);
    case SYS_mknod:
      return Simply(MakeNodeWish{Path(a[0]), static_cast<std::uint32_t>(a[1]), a[2]}, call);
    case SYS_chmod: return DecodeChange(Path(a[0]), Mode(a[1]), call);
    case SYS_chown: return DecodeChange(Path(a[0]), Owner(a[1], a[2]), call);
    case SYS_lchown: return DecodeChange(Path(a[0], FinalLink::kTake), Owner(a[1], a[2]), call);
    case SYS_utime: return DecodeUtime(thread, a, call);
    case SYS_utimes: return DecodeTimes<timeval>(thread, Path(a[0]), a[1], 1000, call);
    case SYS_futimesat:
      return DecodeTimes<timeval>(thread, a[1] == 0 ? OfDescriptor(a[0]) : PathAt(a[0], a[1]), a[2],
                                  1000, call);
    default: break;
  }
#endif
  return -ENOSYS;
}

}  // namespace

int Decode(const Notification& notification, SupervisedCall& call) {
  const auto& a = notification.arguments;
  const int thread = notification.thread;
  switch (notification.call) {
    case SYS_openat: return DecodeOpen(Opening(PathAt(a[0], a[1]), a[2], a[3]), call);
    case SYS_openat2: return DecodeOpenat2(thread, a, call);
#ifdef SYS_renameat
    case SYS_renameat: return Renaming(PathAt(a[0], a[1]), PathAt(a[2], a[3]), 0, call);
#endif
    case SYS_renameat2: return Renaming(PathAt(a[0], a[1]), PathAt(a[2], a[3]), a[4], call);
    case SYS_linkat: return DecodeLinkat(a, call);
    case SYS_symlinkat: return Simply(SymlinkWish{a[0], PathAt(a[1], a[2])}, call);
    case SYS_unlinkat: return DecodeUnlinkat(a, call);
    case SYS_mkdirat:
      return Simply(MakeDirectoryWish{PathAt(a[0], a[1]), static_cast<std::uint32_t>(a[2])}, call);
    case SYS_mknodat:
      return Simply(MakeNodeWish{PathAt(a[0], a[1]), static_cast<std::uint32_t>(a[2]), a[3]}, call);
    case SYS_fchmod: return DecodeChange(OfDescriptor(a[0]), Mode(a[1]), call);
    case SYS_fchmodat: return DecodeChange(PathAt(a[0], a[1]), Mode(a[2]), call);
    case kCallFchmodat2: return DecodeAt(a[0], a[1], a[3], Mode(a[2]), call);
    case SYS_fchown: return DecodeChange(OfDescriptor(a[0]), Owner(a[1], a[2]), call);
    case SYS_fchownat: return DecodeAt(a[0], a[1], a[4], Owner(a[2], a[3]), call);
    case SYS_truncate:
      return DecodeChange(Path(a[0]), SizeWish{static_cast<std::int64_t>(a[1])}, call);
    case SYS_utimensat: return DecodeUtimensat(thread, a, call);
    case SYS_setxattr: return DecodeSetAttribute(thread, Path(a[0]), a[1], a[2], a[3], a[4], call);
    case SYS_lsetxattr:
      return DecodeSetAttribute(thread, Path(a[0], FinalLink::kTake), a[1], a[2], a[3], a[4], call);
    case SYS_fsetxattr:
      return DecodeSetAttribute(thread, OfDescriptor(a[0]), a[1], a[2], a[3], a[4], call);
    case kCallSetxattrat: return DecodeSetAttributeAt(thread, a, call);
    case SYS_removexattr: return DecodeRemoveAttribute(thread, Path(a[0]), a[1], call);
    case SYS_lremovexattr:
      return DecodeRemoveAttribute(thread, Path(a[0], FinalLink::kTake), a[1], call);
    case SYS_fremovexattr: return DecodeRemoveAttribute(thread, OfDescriptor(a[0]), a[1], call);
    case kCallRemovexattrat: {
      NamedPath path;
      if (const int failed = PathWith(a[0], a[1], a[2], path); failed != 0) return failed;
      return DecodeRemoveAttribute(thread, path, a[3], call);
    }
    case SYS_bind: return DecodeSocket(thread, SocketWish::What::kBind, a, call);
    case SYS_connect: return DecodeSocket(thread, SocketWish::What::kConnect, a, call);
    default: return DecodeOld(notification, call);
  }
}

}  // namespace cordon::platform
