// System calls of mounts that the C library does not know.
#pragma once

#include <linux/mount.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstddef>

namespace cordon::platform {

inline int OpenTree(int directory, const char* path, unsigned flags) {
  return static_cast<int>(::syscall(SYS_open_tree, directory, path, flags));
}
inline int MoveMount(int from, const char* from_path, int to, const char* to_path, unsigned flags) {
  return static_cast<int>(::syscall(SYS_move_mount, from, from_path, to, to_path, flags));
}
inline int SetMountAttributes(int mount, const char* path, unsigned flags, mount_attr* attributes) {
  return static_cast<int>(
      ::syscall(SYS_mount_setattr, mount, path, flags, attributes, sizeof *attributes));
}
inline int OpenFileSystem(const char* kind) {
  return static_cast<int>(::syscall(SYS_fsopen, kind, FSOPEN_CLOEXEC));
}
inline int ConfigureFileSystem(int context, unsigned command, const char* key, const char* value) {
  return static_cast<int>(::syscall(SYS_fsconfig, context, command, key, value, 0));
}
inline int MountFileSystem(int context, unsigned attributes) {
  return static_cast<int>(::syscall(SYS_fsmount, context, FSMOUNT_CLOEXEC, attributes));
}

}  // namespace cordon::platform
