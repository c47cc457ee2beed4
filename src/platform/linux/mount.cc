#include "platform/mount.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include <array>
#include <cerrno>
#include <climits>
#include <utility>
#include <vector>

#include "base/try.h"
#include "platform/linux/error_from_errno.h"
#include "platform/linux/mount_calls.h"

namespace cordon::platform {
namespace {

std::uint64_t FlagsOf(MountAttributes attributes) {
  std::uint64_t flags = 0;
  for (const MountAttribute attribute : attributes) {
    switch (attribute) {
      case MountAttribute::kReadOnly: flags |= MOUNT_ATTR_RDONLY; break;
      case MountAttribute::kNoSetUserId: flags |= MOUNT_ATTR_NOSUID; break;
      case MountAttribute::kNoDevices: flags |= MOUNT_ATTR_NODEV; break;
      case MountAttribute::kNoPrograms: flags |= MOUNT_ATTR_NOEXEC; break;
    }
  }
  return flags;
}

Status SetFlags(int mount, std::uint64_t flags, unsigned recursion) {
  mount_attr change = {};
  change.attr_set = flags;
  if (SetMountAttributes(mount, "", AT_EMPTY_PATH | recursion, &change) != 0) {
    return ErrorFromErrno("mount_setattr", errno);
  }
  return {};
}

// Everything below comes along: a part that a user namespace locked cannot be left out.
Result<UniqueFd> CopyTree(int directory, const char* path, unsigned links,
                          MountAttributes attributes) {
  UniqueFd tree(
      OpenTree(directory, path, OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE | links));
  if (!tree.valid()) return ErrorFromErrno("open_tree", errno);
  const std::uint64_t flags = FlagsOf(attributes);
  if (flags != 0) TRY(SetFlags(tree.get(), flags, AT_RECURSIVE));
  return tree;
}

using Option = std::pair<const char*, std::string>;

Result<UniqueFd> NewFileSystem(const char* kind, const std::vector<Option>& options,
                               std::uint64_t flags) {
  const UniqueFd context(OpenFileSystem(kind));
  if (!context.valid()) return ErrorFromErrno("fsopen", errno);
  for (const auto& [key, value] : options) {
    if (ConfigureFileSystem(context.get(), FSCONFIG_SET_STRING, key, value.c_str()) != 0) {
      return ErrorFromErrno("fsconfig", errno);
    }
  }
  if (ConfigureFileSystem(context.get(), FSCONFIG_CMD_CREATE, nullptr, nullptr) != 0) {
    return ErrorFromErrno("fsconfig", errno);
  }
  UniqueFd mount(MountFileSystem(context.get(), static_cast<unsigned>(flags)));
  if (!mount.valid()) return ErrorFromErrno("fsmount", errno);
  return mount;
}

Result<UniqueFd> OpenBelow(int directory, const char* path, std::uint64_t flags) {
  open_how how = {};
  how.flags = flags | O_CLOEXEC;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
  UniqueFd found(static_cast<int>(::syscall(SYS_openat2, directory, path, &how, sizeof how)));
  if (!found.valid()) return ErrorFromErrno("openat2", errno);
  return found;
}

// A directory below a root, or the root itself.
struct Parent {
  int root = -1;
  UniqueFd below;
  int get() const { return below.valid() ? below.get() : root; }
};

// The directory that holds the last component, made as far as it is missing.
Result<Parent> ParentOf(int root, const std::string& path) {
  const std::size_t last = path.rfind('/');
  if (last == std::string::npos) return Parent{root, UniqueFd()};
  const std::string parent = path.substr(0, last);
  auto there = OpenBelow(root, parent.c_str(), O_PATH | O_DIRECTORY);
  if (there) return Parent{root, std::move(*there)};
  if (there.error().os_errno != ENOENT) return std::move(there.error());
  for (std::size_t end = path.find('/'); end != std::string::npos; end = path.find('/', end + 1)) {
    const std::string above = path.substr(0, end);
    if (::mkdirat(root, above.c_str(), 0755) != 0 && errno != EEXIST && errno != EROFS) {
      return ErrorFromErrno("mkdirat", errno);
    }
  }
  TRY_ASSIGN(UniqueFd made, OpenBelow(root, parent.c_str(), O_PATH | O_DIRECTORY));
  return Parent{root, std::move(made)};
}

std::string LastOf(const std::string& path) { return path.substr(path.rfind('/') + 1); }

Status Expect(int result, const char* call) {
  if (result != 0 && errno != EEXIST) return ErrorFromErrno(call, errno);
  return {};
}

}  // namespace

Status MakeMountsPrivate() {
  if (::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) {
    return ErrorFromErrno("mount", errno);
  }
  return {};
}

Result<UniqueFd> CopyOfTree(const std::string& path, MountAttributes attributes) {
  return CopyTree(AT_FDCWD, path.c_str(), 0, attributes);
}

Result<UniqueFd> CopyOfTreeAt(int reference, MountAttributes attributes) {
  return CopyTree(reference, "", AT_EMPTY_PATH, attributes);
}

Result<UniqueFd> MountPlace(int directory, const std::string& path) {
  return OpenBelow(directory, path.c_str(), O_PATH);
}

Result<UniqueFd> NewMemoryFiles(std::uint64_t bytes, MountAttributes attributes) {
  std::vector<Option> options = {{"mode", "0755"}};
  if (bytes != 0) options.emplace_back("size", std::to_string(bytes));
  return NewFileSystem("tmpfs", options, FlagsOf(attributes));
}

Result<UniqueFd> NewProcessFiles() {
  return NewFileSystem("proc", {}, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC);
}

Result<UniqueFd> NewTerminalFiles() {
  return NewFileSystem("devpts", {{"ptmxmode", "0666"}, {"mode", "0620"}},
                       MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC);
}

Status Attach(int tree, int directory, const std::string& path) {
  if (path.empty()) {
    if (MoveMount(tree, "", directory, "", MOVE_MOUNT_F_EMPTY_PATH | MOVE_MOUNT_T_EMPTY_PATH) !=
        0) {
      return ErrorFromErrno("move_mount", errno);
    }
    return {};
  }
  TRY_ASSIGN(const UniqueFd place, MountPlace(directory, path));
  return Attach(tree, place.get(), "");
}

Status ChangeAttributes(int mount, MountAttributes attributes) {
  return SetFlags(mount, FlagsOf(attributes), 0);
}

Status CoverRoot(int mount) {
  if (MoveMount(mount, "", AT_FDCWD, "/", MOVE_MOUNT_F_EMPTY_PATH) != 0) {
    return ErrorFromErrno("move_mount", errno);
  }
  return {};
}

Status EnterRoot(int mount) {
  if (::fchdir(mount) != 0) return ErrorFromErrno("fchdir", errno);
  // The old root lands over the new one, from where it is taken off at once.
  if (::syscall(SYS_pivot_root, ".", ".") != 0) return ErrorFromErrno("pivot_root", errno);
  if (::umount2(".", MNT_DETACH) != 0) return ErrorFromErrno("umount2", errno);
  if (::chdir("/") != 0) return ErrorFromErrno("chdir", errno);
  return {};
}

Status MakeMountDirectory(int root, const std::string& path, std::uint32_t mode) {
  TRY_ASSIGN(const Parent parent, ParentOf(root, path));
  const std::string name = LastOf(path);
  if (::mkdirat(parent.get(), name.c_str(), 0755) != 0) {
    return errno == EEXIST ? Status() : ErrorFromErrno("mkdirat", errno);
  }
  if (mode == 0755) return {};
  return Expect(::fchmodat(parent.get(), name.c_str(), mode, 0), "fchmodat");  // past the umask
}

Status MakeMountFile(int root, const std::string& path) {
  TRY_ASSIGN(const Parent parent, ParentOf(root, path));
  return Expect(::mknodat(parent.get(), LastOf(path).c_str(), S_IFREG | 0444, 0), "mknodat");
}

Status MakeMountLink(int root, const std::string& path, const std::string& text) {
  TRY_ASSIGN(const Parent parent, ParentOf(root, path));
  return Expect(::symlinkat(text.c_str(), parent.get(), LastOf(path).c_str()), "symlinkat");
}

Standing StandingAt(const std::string& path) {
  struct stat found = {};
  if (::lstat(path.c_str(), &found) != 0) return Standing::kNothing;
  const bool link = S_ISLNK(found.st_mode);
  if (link && ::stat(path.c_str(), &found) != 0) return Standing::kNothing;
  if (!S_ISDIR(found.st_mode)) return Standing::kOther;
  return link ? Standing::kLinkToDirectory : Standing::kDirectory;
}

std::optional<std::string> LinkTextAt(const std::string& path) {
  std::array<char, PATH_MAX> text;
  const ssize_t size = ::readlink(path.c_str(), text.data(), text.size());
  if (size < 0) return std::nullopt;
  return std::string(text.data(), static_cast<std::size_t>(size));
}

std::optional<std::uint64_t> FreeSpaceAt(const std::string& path) {
  struct statvfs space = {};
  if (::statvfs(path.c_str(), &space) != 0) return std::nullopt;
  return static_cast<std::uint64_t>(space.f_bavail) * space.f_bsize;
}

}  // namespace cordon::platform
