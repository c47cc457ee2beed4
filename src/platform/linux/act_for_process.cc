#include "platform/act_for_process.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <climits>
#include <cstdio>
#include <cstring>

#include "platform/linux/error_from_errno.h"

namespace cordon::platform {
namespace {

// "12" of descriptor 12; no allocation.
struct Name {
  explicit Name(int fd) {
    *std::to_chars(text.data(), text.data() + text.size() - 1, fd).ptr = '\0';
  }
  std::array<char, 16> text;
};
struct FullName {
  explicit FullName(int fd) { std::snprintf(text.data(), text.size(), "/proc/self/fd/%d", fd); }
  std::array<char, 40> text;
};

Looked LookedFrom(long fd) {
  if (fd < 0) return {UniqueFd(), errno};
  return {UniqueFd(static_cast<int>(fd)), 0};
}
int Answer(long result) { return result < 0 ? -errno : static_cast<int>(result); }

// What is about the name is not for the object behind a reference.
constexpr int kAboutName = O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;

// The flag is the open socket's, which the process has too: it waits for this call, but
// another of its threads may see it for a moment.
class WithoutWaiting {
 public:
  explicit WithoutWaiting(int fd) : fd_(fd), flags_(::fcntl(fd, F_GETFL)) {
    (void)::fcntl(fd_, F_SETFL, flags_ | O_NONBLOCK);
  }
  WithoutWaiting(const WithoutWaiting&) = delete;
  WithoutWaiting& operator=(const WithoutWaiting&) = delete;
  ~WithoutWaiting() {
    const int kept = errno;
    (void)::fcntl(fd_, F_SETFL, flags_);
    errno = kept;
  }

 private:
  int fd_, flags_;
};

int BindOrConnect(int socket, const std::string& path,
                  int (*call)(int, const sockaddr*, socklen_t)) {
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) return -ENAMETOOLONG;
  std::memcpy(address.sun_path, path.data(), path.size());
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + path.size() + 1);
  return Answer(call(socket, reinterpret_cast<const sockaddr*>(&address), size));
}

}  // namespace

Result<ActForProcess> ActForProcess::Open() {
  UniqueFd own(::open("/proc/self/fd", O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!own.valid()) return ErrorFromErrno("open", errno);
  return ActForProcess(std::move(own));
}

std::string ActForProcess::RealPath(int fd) const {
  std::array<char, PATH_MAX + 16> buffer;
  const ssize_t size = ::readlinkat(own_.get(), Name(fd).text.data(), buffer.data(), buffer.size());
  if (size <= 0 || static_cast<std::size_t>(size) >= buffer.size()) return {};
  return {buffer.data(), static_cast<std::size_t>(size)};
}

std::uint64_t ActForProcess::NoMagicLinks() { return RESOLVE_NO_MAGICLINKS; }
std::uint64_t ActForProcess::InRoot() { return RESOLVE_IN_ROOT; }
std::uint64_t ActForProcess::NoLinks() { return RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS; }

Looked ActForProcess::LookUp(int base, const char* path, NamedPath::FinalLink final_link,
                             std::uint64_t resolve) const {
  open_how how = {};
  how.flags = O_PATH | O_CLOEXEC;
  if (final_link == NamedPath::FinalLink::kTake) how.flags |= O_NOFOLLOW;
  how.resolve = resolve;
  return LookedFrom(::syscall(SYS_openat2, base, path, &how, sizeof how));
}

Looked ActForProcess::Entry(int directory, const char* name) {
  return LookedFrom(::openat(directory, name, O_PATH | O_NOFOLLOW | O_CLOEXEC));
}

UniqueFd ActForProcess::Scratch() { return UniqueFd(::memfd_create("scratch", MFD_CLOEXEC)); }

UniqueFd ActForProcess::Same(int fd) { return UniqueFd(::fcntl(fd, F_DUPFD_CLOEXEC, 0)); }

Looked ActForProcess::Follow(int directory, const char* name) {
  return LookedFrom(::openat(directory, name, O_PATH | O_CLOEXEC));
}

Looked ActForProcess::Reopen(int object, const OpenWish& wish, Wait wait) const {
  int flags = (wish.flags & ~kAboutName) | O_CLOEXEC | O_NOCTTY;
  if (wait == Wait::kNever) flags |= O_NONBLOCK;
  return LookedFrom(::openat(own_.get(), Name(object).text.data(), flags));
}

Looked ActForProcess::OpenToRead(int base, const char* path, const OpenWish& wish,
                                 std::uint64_t resolve) {
  open_how how = {};
  how.flags = static_cast<unsigned>((wish.flags & ~kAboutName) | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  how.resolve = resolve;
  return LookedFrom(::syscall(SYS_openat2, base, path, &how, sizeof how));
}

int ActForProcess::SetFlags(int fd, const OpenWish& wish) {
  return Answer(::fcntl(fd, F_SETFL, wish.flags));
}

int ActForProcess::ClearNonBlocking(int fd) {
  const int flags = ::fcntl(fd, F_GETFL);
  return flags < 0 ? -errno : Answer(::fcntl(fd, F_SETFL, flags & ~O_NONBLOCK));
}

Looked ActForProcess::Create(int directory, const char* name, const OpenWish& wish,
                             std::uint32_t umask) {
  (void)::umask(umask);
  return LookedFrom(
      ::openat(directory, name, wish.flags | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, wish.mode));
}

Looked ActForProcess::CreateTemporary(int directory, const OpenWish& wish, std::uint32_t umask) {
  (void)::umask(umask);
  return LookedFrom(::openat(directory, ".", (wish.flags & ~O_NOFOLLOW) | O_CLOEXEC, wish.mode));
}

int ActForProcess::MakeDirectory(int directory, const char* name, std::uint32_t mode,
                                 std::uint32_t umask) {
  (void)::umask(umask);
  return Answer(::mkdirat(directory, name, mode));
}

int ActForProcess::MakeNode(int directory, const char* name, const MakeNodeWish& wish,
                            std::uint32_t umask) {
  (void)::umask(umask);
  return Answer(::syscall(SYS_mknodat, directory, name, wish.mode, wish.device));
}

int ActForProcess::Remove(int directory, const char* name, RemoveWish::What what) {
  return Answer(
      ::unlinkat(directory, name, what == RemoveWish::What::kDirectory ? AT_REMOVEDIR : 0));
}

int ActForProcess::Rename(int from, const char* name, int to, const char* new_name,
                          std::uint32_t flags) {
  return Answer(::syscall(SYS_renameat2, from, name, to, new_name, flags));
}

int ActForProcess::Link(int object, int to, const char* name) const {
  return Answer(::linkat(own_.get(), Name(object).text.data(), to, name, AT_SYMLINK_FOLLOW));
}

int ActForProcess::Symlink(const char* text, int directory, const char* name) {
  return Answer(::symlinkat(text, directory, name));
}

int ActForProcess::Change(int object, const ChangeWish& wish) const {
  const FullName path(object);
  if (const auto* mode = std::get_if<ModeWish>(&wish.change)) {
    struct stat info;
    if (::fstat(object, &info) == 0 && S_ISLNK(info.st_mode)) return -EOPNOTSUPP;
    return Answer(::chmod(path.text.data(), mode->mode));
  }
  if (const auto* owner = std::get_if<OwnerWish>(&wish.change)) {
    return Answer(::fchownat(object, "", owner->user, owner->group, AT_EMPTY_PATH));
  }
  if (const auto* size = std::get_if<SizeWish>(&wish.change)) {
    return Answer(::truncate(path.text.data(), size->size));
  }
  if (const auto* times = std::get_if<TimesWish>(&wish.change)) {
    if (!times->times) return Answer(::utimensat(own_.get(), Name(object).text.data(), nullptr, 0));
    const auto& asked = *times->times;
    const timespec raw[2] = {{asked[0].seconds, asked[0].nanoseconds},
                             {asked[1].seconds, asked[1].nanoseconds}};
    return Answer(::utimensat(own_.get(), Name(object).text.data(), raw, 0));
  }
  const auto& attribute = std::get<AttributeWish>(wish.change);
  if (!attribute.value) return Answer(::removexattr(path.text.data(), attribute.name.c_str()));
  return Answer(::setxattr(path.text.data(), attribute.name.c_str(), attribute.value->data(),
                           attribute.value->size(), attribute.flags));
}

int ActForProcess::BindAt(int socket, int directory, const std::string& name, std::uint32_t umask) {
  // By a bare name from the directory itself: no text is resolved.
  if (::fchdir(directory) != 0) return -errno;
  (void)::umask(umask);
  return BindOrConnect(socket, name, &::bind);
}

int ActForProcess::Bind(int socket, const std::string& address) {
  return Answer(::bind(socket, reinterpret_cast<const sockaddr*>(address.data()),
                       static_cast<socklen_t>(address.size())));
}

int ActForProcess::ConnectTo(int socket, int object) const {
  const WithoutWaiting now(socket);
  return BindOrConnect(socket, FullName(object).text.data(), &::connect);
}

int ActForProcess::Connect(int socket, const std::string& address) {
  const WithoutWaiting now(socket);
  return Answer(::connect(socket, reinterpret_cast<const sockaddr*>(address.data()),
                          static_cast<socklen_t>(address.size())));
}

int ActForProcess::ConnectResult(int socket) {
  pollfd state = {socket, POLLOUT, 0};
  if (::poll(&state, 1, 0) == 0) return -EINPROGRESS;
  int failed = 0;
  socklen_t size = sizeof failed;
  if (::getsockopt(socket, SOL_SOCKET, SO_ERROR, &failed, &size) != 0) return -errno;
  return -failed;
}

bool ActForProcess::IsNonBlocking(int fd) { return (::fcntl(fd, F_GETFL) & O_NONBLOCK) != 0; }

bool ActForProcess::HasOrHadWriter(int reader) {
  pollfd state = {reader, POLLIN, 0};
  if (::poll(&state, 1, 0) > 0) return true;  // bytes, or a writer that has left
  int pipes[2];
  if (::pipe2(pipes, O_CLOEXEC | O_NONBLOCK) != 0) return false;
  // Copies nothing; but says EAGAIN with a writer, and 0 without.
  const ssize_t copied = ::tee(reader, pipes[1], 1, SPLICE_F_NONBLOCK);
  const bool has = copied > 0 || (copied < 0 && errno == EAGAIN);
  (void)::close(pipes[0]);
  (void)::close(pipes[1]);
  return has;
}

bool ActForProcess::Serves(int fd, const OpenWish& wish) {
  const int flags = ::fcntl(fd, F_GETFL);
  if (flags < 0 || (flags & O_PATH) != 0) return false;
  const int access = flags & O_ACCMODE;
  return (!wish.read || access != O_WRONLY) && (!wish.write || access != O_RDONLY);
}

bool ActForProcess::IsTerminalOfProcess(int object) {
  struct stat info;
  return ::fstat(object, &info) == 0 && S_ISCHR(info.st_mode) && info.st_rdev == makedev(5, 0);
}

Status HideOwnMemory() {
  if (::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) return ErrorFromErrno("prctl", errno);
  return {};
}

}  // namespace cordon::platform
