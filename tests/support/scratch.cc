#include "tests/support/scratch.h"

#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <vector>

namespace cordon::testing {
namespace {

std::string RealPath(const std::string& path) {
  char* resolved = ::realpath(path.c_str(), nullptr);
  std::string text = resolved == nullptr ? path : resolved;
  std::free(resolved);
  return text;
}

std::vector<std::string> MountsBelow(const std::string& path) {
  std::vector<std::string> points;
  std::ifstream table("/proc/self/mountinfo");
  std::string line;
  while (std::getline(table, line)) {
    std::istringstream fields(line);
    std::string skipped, point;
    fields >> skipped >> skipped >> skipped >> skipped >> point;
    if (point.starts_with(path + "/")) points.push_back(point);
  }
  return points;
}

std::vector<std::string> NamesIn(int directory) {
  std::vector<std::string> names;
  const int copy = ::openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (copy < 0) return names;
  DIR* stream = ::fdopendir(copy);
  if (stream == nullptr) {
    ::close(copy);
    return names;
  }
  while (const dirent* entry = ::readdir(stream)) {
    const std::string name = entry->d_name;
    if (name != "." && name != "..") names.push_back(name);
  }
  ::closedir(stream);
  return names;
}

// A subdirectory that is not empty moves up to `top`, so that no depth is too much.
void RemoveEntry(int top, int directory, const std::string& name, unsigned& serial,
                 std::vector<std::string>& pending) {
  if (::unlinkat(directory, name.c_str(), 0) == 0) return;
  if (::unlinkat(directory, name.c_str(), AT_REMOVEDIR) == 0) return;
  const std::string parked = ".pending-" + std::to_string(serial++);
  if (::renameat(directory, name.c_str(), top, parked.c_str()) == 0) pending.push_back(parked);
}

}  // namespace

void EmptyDirectory(int directory) {
  unsigned serial = 0;
  std::vector<std::string> pending = NamesIn(directory);
  while (!pending.empty()) {
    const std::string name = pending.back();
    pending.pop_back();
    if (::unlinkat(directory, name.c_str(), 0) == 0) continue;
    if (::unlinkat(directory, name.c_str(), AT_REMOVEDIR) == 0) continue;
    const platform::UniqueFd child(
        ::openat(directory, name.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!child.valid()) continue;
    // O_PATH and /proc: fchmod needs a readable descriptor, which the mode may forbid.
    ::chmod(("/proc/self/fd/" + std::to_string(child.get())).c_str(), 0700);
    for (const std::string& entry : NamesIn(child.get())) {
      RemoveEntry(directory, child.get(), entry, serial, pending);
    }
    ::unlinkat(directory, name.c_str(), AT_REMOVEDIR);
  }
}

Scratch::Scratch(std::string_view base) {
  std::string where(base);
  if (where.empty()) {
    const char* configured = std::getenv("TMPDIR");
    where = configured != nullptr && *configured != '\0' ? configured : "/tmp";
  }
  path_ = where + "/cordon-test-XXXXXX";
  if (::mkdtemp(path_.data()) == nullptr) {
    std::perror(path_.c_str());
    std::abort();
  }
  path_ = RealPath(path_);
  fd_.reset(::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd_.valid()) std::abort();
}

Scratch::~Scratch() {
  std::vector<std::string> mounts = MountsBelow(path_);
  for (auto point = mounts.rbegin(); point != mounts.rend(); ++point) {
    ::umount2(point->c_str(), MNT_DETACH | UMOUNT_NOFOLLOW);
  }
  EmptyDirectory(fd_.get());
  if (::rmdir(path_.c_str()) != 0) std::perror(("not removed: " + path_).c_str());
}

std::string EnterMountNamespace() {
  static const std::string problem = [] {
    if (::unshare(CLONE_NEWNS) != 0) {
      return std::string("no mount namespace: ") + std::strerror(errno);
    }
    if (::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) {
      return std::string("mounts cannot be made private: ") + std::strerror(errno);
    }
    return std::string();
  }();
  return problem;
}

}  // namespace cordon::testing
