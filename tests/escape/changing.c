// Changing files that are in no place, or in one that may only be read.
#include <linux/fs.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/xattr.h>

#include "attempt.h"

static void told(int result) {
  if (result != 0) printf("(%s)\n", strerror(errno));
}
static void direct(void) { put(open(canary(), O_WRONLY | O_TRUNC), "changed"); }
static void appended(void) { put(open(canary(), O_WRONLY | O_APPEND), "changed"); }
static void through_symlink(void) {
  symlink(canary(), "to-canary");
  put(open("to-canary", O_WRONLY | O_TRUNC), "changed");
}
static void dangling(void) {
  unlink("dangling");
  symlink(outside("made-by-dangling"), "dangling");
  put_path("dangling", "made");
}
static void given_symlink(void) { put_path("link-out/made-by-given", "made"); }
static void hard_link(void) {
  told(link(canary(), "hard-canary"));
  put(open("hard-canary", O_WRONLY | O_TRUNC), "changed");
}
static void truncated(void) { told(truncate(canary(), 1)); }
static void mode(void) { told(chmod(canary(), 0600)); }
static void mode_at(void) {
  char path[64];
  int fd = open(canary(), O_PATH);
  told((int)syscall(452 /*fchmodat2*/, fd, "", 0600, AT_EMPTY_PATH));
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  told(chmod(path, 0600));
}
static void times(void) {
  const struct timeval when[2] = {{1, 0}, {1, 0}};
  told(utimes(canary(), when));
}
static void times_of_descriptor(void) {
  const struct timespec when[2] = {{1, 0}, {1, 0}};
  told(utimensat(open(canary(), O_PATH), "", when, AT_EMPTY_PATH));
  told(futimens(open(canary(), O_RDONLY), when));
}
static void attribute(void) { told(setxattr(canary(), "user.changed", "x", 1, 0)); }
static void removed(void) { told(unlink(canary())); }
static void renamed(void) { told(rename(canary(), "stolen")); }
static void moved_out(void) {
  put_path("mine", "made");
  told(rename("mine", canary()));
}
static void exchanged(void) {
  put_path("mine2", "made");
  told((int)syscall(SYS_renameat2, AT_FDCWD, "mine2", AT_FDCWD, canary(), RENAME_EXCHANGE));
}
static void made(void) {
  told(mkdir(outside("made-directory"), 0755));
  told(mknod(outside("made-node"), S_IFIFO | 0644, 0));
  told(symlink("x", outside("made-symlink")));
}
static void linked_out(void) {
  put_path("mine3", "made");
  told(link("mine3", outside("made-link")));
}
static void temporary(void) {
  char path[64];
  int fd = open(".", O_TMPFILE | O_RDWR, 0644);
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  told(linkat(AT_FDCWD, path, AT_FDCWD, outside("made-temporary"), AT_SYMLINK_FOLLOW));
  told(linkat(fd, "", AT_FDCWD, outside("made-temporary2"), AT_EMPTY_PATH));
  put(open(arena("outside"), O_TMPFILE | O_RDWR, 0644), "x");
}
static void socket_made(void) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  snprintf(address.sun_path, sizeof address.sun_path, "%s", outside("made-socket"));
  told(bind(socket(AF_UNIX, SOCK_STREAM, 0), (struct sockaddr*)&address, sizeof address));
}
static void proc_fd(void) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%s/fd/%s", arena("victim"), arena("victim_writes"));
  put(open(path, O_WRONLY | O_TRUNC), "changed");
}
static void kernel_setting(void) {
  put(open("/proc/sys/kernel/printk_ratelimit_burst", O_WRONLY), arena("burst"));
}
// Where the standard input is this canary, open for reading.
static void given_file(void) { put(open("/proc/self/fd/0", O_WRONLY | O_TRUNC), "changed"); }
static void given_file_mode(void) { told(fchmod(0, 0600)); }
static void given_file_times(void) {
  const struct timespec when[2] = {{1, 0}, {1, 0}};
  told(futimens(0, when));
}
static void system_file_times(void) {
  const struct timespec when[2] = {{1, 0}, {1, 0}};
  told(futimens(open(arena("readable"), O_RDONLY), when));
}
static void device(void) {
  told(mknod("disk", S_IFBLK | 0600, (dev_t)strtoul(arena("disk"), NULL, 10)));
  int fd = open("disk", O_RDONLY);
  char bytes[512];
  if (fd >= 0 && read(fd, bytes, sizeof bytes) == sizeof bytes) printf("REACHED the disk\n");
  else printf("(%d: %s)\n", fd, strerror(errno));
  unlink("disk");
}

#define RO "nest/ro/"
static void ro_write(void) { put(open(RO "write", O_WRONLY | O_TRUNC), "changed"); }
static void ro_create(void) { put_path(RO "created", "made"); }
static void ro_link(void) {
  told(link(RO "link", "ro-link"));
  put(open("ro-link", O_WRONLY | O_TRUNC), "changed");
}
static void ro_mode(void) {
  told(chmod(RO "mode", 0600));
  told(fchmod(open(RO "mode", O_RDONLY), 0600));
}
static void ro_times(void) {
  const struct timespec when[2] = {{1, 0}, {1, 0}};
  told(futimens(open(RO "times", O_RDONLY), when));
}
static void ro_remove(void) { told(unlink(RO "remove")); }
static void ro_move(void) { told(rename("nest3/ro", "nest3/moved")); }
// The place stays what it is, but another takes its name.
static void ro_parent(void) {
  told(rename("nest2", "nest2-away"));
  told(mkdir("nest2", 0755));
  told(mkdir("nest2/ro", 0755));
  put_path("nest2/ro/parent", "changed");
}
static void ro_flags(void) {
  int flags = FS_NODUMP_FL;
  told(ioctl(open(RO "flags", O_RDONLY), FS_IOC_SETFLAGS, &flags));
}
static void ro_remount(void) {
  unshare(CLONE_NEWUSER | CLONE_NEWNS);
  told(mount(NULL, "nest/ro", NULL, MS_REMOUNT | MS_BIND, NULL));
  put(open(RO "remount", O_WRONLY | O_TRUNC), "changed");
  told(umount2("nest/ro", MNT_DETACH));
  put(open(RO "remount", O_WRONLY | O_TRUNC), "changed");
}
static void ro_truncate(void) { told(truncate(RO "truncate", 0)); }
static void ro_attribute(void) { told(setxattr(RO "attribute", "user.changed", "x", 1, 0)); }

const struct attempt kChanging[] = {
    {"change-direct", direct},
    {"change-append", appended},
    {"change-symlink", through_symlink},
    {"change-dangling-symlink", dangling},
    {"change-given-symlink", given_symlink},
    {"change-hard-link", hard_link},
    {"change-truncate", truncated},
    {"change-mode", mode},
    {"change-mode-at", mode_at},
    {"change-times", times},
    {"change-times-descriptor", times_of_descriptor},
    {"change-attribute", attribute},
    {"change-remove", removed},
    {"change-rename", renamed},
    {"change-move-out", moved_out},
    {"change-exchange", exchanged},
    {"change-make", made},
    {"change-link-out", linked_out},
    {"change-temporary", temporary},
    {"change-socket", socket_made},
    {"change-proc-fd", proc_fd},
    {"change-kernel-setting", kernel_setting},
    {"change-given-file", given_file},
    {"change-given-file-mode", given_file_mode},
    {"change-given-file-times", given_file_times},
    {"change-readable-times", system_file_times},
    {"change-device", device},
    {"ro-write", ro_write},
    {"ro-create", ro_create},
    {"ro-link", ro_link},
    {"ro-mode", ro_mode},
    {"ro-times", ro_times},
    {"ro-remove", ro_remove},
    {"ro-move", ro_move},
    {"ro-parent", ro_parent},
    {"ro-flags", ro_flags},
    {"ro-remount", ro_remount},
    {"ro-truncate", ro_truncate},
    {"ro-attribute", ro_attribute},
    {NULL, NULL}};
