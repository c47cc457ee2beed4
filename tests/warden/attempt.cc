// attempt CALL PATH [OTHER]: one system call as it is, without the C library's ways around; prints
// "0" or the errno. attempt every PATH: all calls that read or change PATH; prints those that were
// let through. attempt race-* ...: see below.
#include <fcntl.h>
#include <linux/openat2.h>
#include <sched.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>
#include <utime.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <thread>

namespace {

using Call = std::function<long(const char* path, const char* other)>;

long Openat2(const char* path, std::uint64_t flags, std::uint64_t resolve) {
  open_how how = {};
  how.flags = flags;
  how.resolve = resolve;
  if ((flags & O_CREAT) != 0) how.mode = 0644;
  return ::syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof how);
}

long Bind(const char* path) {
  const int fd = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, path, sizeof address.sun_path - 1);
  const long result = ::bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof address);
  const int kept = errno;
  ::close(fd);
  errno = kept;
  return result;
}

const timespec kTimes[2] = {{1, 0}, {1, 0}};
const timeval kOldTimes[2] = {{1, 0}, {1, 0}};
const utimbuf kOldestTimes = {1, 1};
struct {
  std::uint64_t value;
  std::uint32_t size, flags;
} const kAttribute = {reinterpret_cast<std::uint64_t>("v"), 1, 0};

// Each of them does something to `path`, or reads it.
const std::map<std::string, Call>& Calls() {
  static const std::map<std::string, Call> calls = {
      {"open", [](auto p, auto) { return ::syscall(SYS_open, p, O_RDONLY); }},
      {"open-write", [](auto p, auto) { return ::syscall(SYS_open, p, O_WRONLY); }},
      {"open-truncate", [](auto p, auto) { return ::syscall(SYS_open, p, O_RDONLY | O_TRUNC); }},
      {"open-append",
       [](auto p, auto) { return ::syscall(SYS_open, p, O_WRONLY | O_APPEND | O_CREAT, 0644); }},
      {"open-path", [](auto p, auto) { return ::syscall(SYS_open, p, O_PATH); }},
      {"openat",
       [](auto p, auto) { return ::syscall(SYS_openat, AT_FDCWD, p, O_RDWR | O_CREAT, 0644); }},
      {"openat2", [](auto p, auto) { return Openat2(p, O_RDONLY, 0); }},
      {"openat2-beneath", [](auto p, auto) { return Openat2(p, O_RDONLY, RESOLVE_BENEATH); }},
      {"openat2-no-links", [](auto p, auto) { return Openat2(p, O_RDWR, RESOLVE_NO_SYMLINKS); }},
      {"creat", [](auto p, auto) { return ::syscall(SYS_creat, p, 0644); }},
      {"rename", [](auto p, auto o) { return ::syscall(SYS_rename, p, o); }},
      {"renameat",
       [](auto p, auto o) { return ::syscall(SYS_renameat, AT_FDCWD, p, AT_FDCWD, o); }},
      {"renameat2",
       [](auto p, auto o) { return ::syscall(SYS_renameat2, AT_FDCWD, p, AT_FDCWD, o, 0); }},
      {"rename-onto", [](auto p, auto o) { return ::syscall(SYS_rename, o, p); }},
      {"exchange",
       [](auto p, auto o) { return ::syscall(SYS_renameat2, AT_FDCWD, o, AT_FDCWD, p, 2); }},
      {"link", [](auto p, auto o) { return ::syscall(SYS_link, p, o); }},
      {"linkat",
       [](auto p, auto o) {
         return ::syscall(SYS_linkat, AT_FDCWD, p, AT_FDCWD, o, AT_SYMLINK_FOLLOW);
       }},
      {"link-onto", [](auto p, auto o) { return ::syscall(SYS_link, o, p); }},
      {"symlink-onto", [](auto p, auto) { return ::syscall(SYS_symlink, "a", p); }},
      {"unlink", [](auto p, auto) { return ::syscall(SYS_unlink, p); }},
      {"unlinkat", [](auto p, auto) { return ::syscall(SYS_unlinkat, AT_FDCWD, p, 0); }},
      {"mkdir", [](auto p, auto) { return ::syscall(SYS_mkdir, p, 0755); }},
      {"mkdirat", [](auto p, auto) { return ::syscall(SYS_mkdirat, AT_FDCWD, p, 0755); }},
      {"rmdir", [](auto p, auto) { return ::syscall(SYS_rmdir, p); }},
      {"mknod", [](auto p, auto) { return ::syscall(SYS_mknod, p, S_IFREG | 0644, 0); }},
      {"mknodat",
       [](auto p, auto) { return ::syscall(SYS_mknodat, AT_FDCWD, p, S_IFIFO | 0644, 0); }},
      {"chmod", [](auto p, auto) { return ::syscall(SYS_chmod, p, 0777); }},
      {"fchmodat", [](auto p, auto) { return ::syscall(SYS_fchmodat, AT_FDCWD, p, 0777); }},
      {"fchmodat2", [](auto p, auto) { return ::syscall(452, AT_FDCWD, p, 0777, 0); }},
      {"chown", [](auto p, auto) { return ::syscall(SYS_chown, p, -1, -1); }},
      {"lchown", [](auto p, auto) { return ::syscall(SYS_lchown, p, -1, -1); }},
      {"fchownat", [](auto p, auto) { return ::syscall(SYS_fchownat, AT_FDCWD, p, -1, -1, 0); }},
      {"truncate", [](auto p, auto) { return ::syscall(SYS_truncate, p, 0); }},
      {"utime", [](auto p, auto) { return ::syscall(SYS_utime, p, &kOldestTimes); }},
      {"utimes", [](auto p, auto) { return ::syscall(SYS_utimes, p, kOldTimes); }},
      {"futimesat", [](auto p, auto) { return ::syscall(SYS_futimesat, AT_FDCWD, p, kOldTimes); }},
      {"utimensat", [](auto p, auto) { return ::syscall(SYS_utimensat, AT_FDCWD, p, kTimes, 0); }},
      {"setxattr", [](auto p, auto) { return ::syscall(SYS_setxattr, p, "user.a", "v", 1, 0); }},
      {"lsetxattr", [](auto p, auto) { return ::syscall(SYS_lsetxattr, p, "user.a", "v", 1, 0); }},
      {"setxattrat",
       [](auto p, auto) {
         return ::syscall(463, AT_FDCWD, p, 0, "user.a", &kAttribute, sizeof kAttribute);
       }},
      {"removexattr", [](auto p, auto) { return ::syscall(SYS_removexattr, p, "user.a"); }},
      {"lremovexattr", [](auto p, auto) { return ::syscall(SYS_lremovexattr, p, "user.a"); }},
      {"removexattrat", [](auto p, auto) { return ::syscall(466, AT_FDCWD, p, 0, "user.a"); }},
      {"bind", [](auto p, auto) { return Bind(p); }},
  };
  return calls;
}

// Answers the errno.
int Try(const Call& call, const char* path, const char* other) {
  const long result = call(path, other);
  return result < 0 ? errno : 0;
}

int Every(const char* path, const char* other) {
  int through = 0;
  for (const auto& [name, call] : Calls()) {
    const int failed = Try(call, path, other);
    if (failed == EACCES || name == "open-path") continue;
    // By the terms of the call itself.
    if (name.starts_with("openat2-") && (failed == ELOOP || failed == EXDEV)) continue;
    std::printf("%s: %d\n", name.c_str(), failed);
    ++through;
  }
  return through == 0 ? 0 : 1;
}

bool HoldsSecret(int fd) {
  char buffer[16] = {};
  const bool secret =
      ::read(fd, buffer, sizeof buffer - 1) > 0 && std::strstr(buffer, "SECRET") != nullptr;
  ::close(fd);
  return secret;
}

// One thread writes the path anew, over and over, while another opens it.
int RacePath(const char* good, const char* bad, int seconds) {
  alignas(64) static char path[256];
  std::atomic<bool> end = false;
  std::thread writer([&] {
    while (!end.load(std::memory_order_relaxed)) {
      std::strcpy(path, good);
      std::strcpy(path, bad);
    }
  });
  long escapes = 0, opened = 0, refused = 0;
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
  while (std::chrono::steady_clock::now() < until) {
    for (int i = 0; i < 64; ++i) {
      const long fd = ::syscall(SYS_openat, AT_FDCWD, path, O_RDONLY);
      if (fd < 0) {
        ++refused;
      } else {
        ++opened;
        escapes += HoldsSecret(static_cast<int>(fd)) ? 1 : 0;
      }
    }
  }
  end = true;
  writer.join();
  std::printf("opened %ld refused %ld escapes %ld\n", opened, refused, escapes);
  return escapes == 0 && opened > 0 && refused > 0 ? 0 : 1;
}

// One process exchanges a directory that may be read with one that may not, another opens through
// it.
int RaceTree(int seconds) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
  const pid_t child = ::fork();
  if (child == 0) {
    while (std::chrono::steady_clock::now() < until) {
      (void)::syscall(SYS_renameat2, AT_FDCWD, "tree/x", AT_FDCWD, "tree/y", 2);
      (void)::unlink("tree/l");
      (void)::syscall(SYS_symlink, "x/file", "tree/l");
      (void)::unlink("tree/l");
      (void)::syscall(SYS_symlink, "../.env", "tree/l");
    }
    ::_exit(0);
  }
  long escapes = 0, opened = 0;
  while (std::chrono::steady_clock::now() < until) {
    for (const char* path : {"tree/l", "tree/x/file", "tree/y/../x/file", "tree/x/../l"}) {
      const int fd = ::open(path, O_RDONLY);
      if (fd < 0) continue;
      ++opened;
      escapes += HoldsSecret(fd) ? 1 : 0;
    }
  }
  std::printf("opened %ld escapes %ld\n", opened, escapes);
  return escapes == 0 && opened > 0 ? 0 : 1;
}

// A directory is moved to and fro.
int RaceMove(const char* here, const char* there, int seconds) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
  while (std::chrono::steady_clock::now() < until) {
    if (::rename(here, there) != 0 || ::rename(there, here) != 0) return 1;
  }
  return 0;
}

// Opens one path until it was refused often enough to tell that the moving was met on the way.
int RaceUp(const char* path, int seconds) {
  constexpr long kMet = 20;
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
  long escapes = 0, refused = 0;
  while (refused < kMet && std::chrono::steady_clock::now() < until) {
    const int fd = ::open(path, O_RDONLY);
    if (fd >= 0) escapes += HoldsSecret(fd) ? 1 : 0;
    refused += fd < 0 && errno == EACCES ? 1 : 0;
  }
  std::printf("refused %ld escapes %ld\n", refused, escapes);
  return escapes == 0 && refused > 0 ? 0 : 1;
}

// By descriptor what may only be read.
int ByDescriptor(const char* path) {
  const int fd = ::open(path, O_RDONLY);
  if (fd < 0) return 2;
  int through = 0;
  const auto expect_refused = [&](const char* name, long result) {
    if (result < 0 && errno == EACCES) return;
    std::printf("%s: %d\n", name, result < 0 ? errno : 0);
    ++through;
  };
  expect_refused("fchmod", ::syscall(SYS_fchmod, fd, 0777));
  expect_refused("fchown", ::syscall(SYS_fchown, fd, -1, -1));
  expect_refused("fchownat", ::syscall(SYS_fchownat, fd, "", -1, -1, AT_EMPTY_PATH));
  expect_refused("fsetxattr", ::syscall(SYS_fsetxattr, fd, "user.a", "v", 1, 0));
  expect_refused("fremovexattr", ::syscall(SYS_fremovexattr, fd, "user.a"));
  expect_refused("setxattrat",
                 ::syscall(463, fd, "", AT_EMPTY_PATH, "user.a", &kAttribute, sizeof kAttribute));
  const std::string again = "/proc/self/fd/" + std::to_string(fd);
  expect_refused("reopen", ::open(again.c_str(), O_RDWR));
  expect_refused("thread-self",
                 ::open(("/proc/thread-self/fd/" + std::to_string(fd)).c_str(), O_WRONLY));
  return through == 0 ? 0 : 1;
}

}  // namespace

int main(int count, char** arguments) {
  const std::string what = count > 1 ? arguments[1] : "";
  const char* path = count > 2 ? arguments[2] : "";
  const char* other = count > 3 ? arguments[3] : "other";
  if (what == "every") return Every(path, other);
  if (what == "by-descriptor") return ByDescriptor(path);
  if (what == "race-path") return RacePath(path, other, std::atoi(arguments[4]));
  if (what == "race-tree") return RaceTree(std::atoi(path));
  if (what == "race-move") return RaceMove(path, other, std::atoi(arguments[4]));
  if (what == "race-up") return RaceUp(path, std::atoi(other));
  const auto call = Calls().find(what);
  if (call == Calls().end()) return 2;
  std::printf("%d\n", Try(call->second, path, other));
  return 0;
}
