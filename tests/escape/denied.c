// Names on the deny list, inside the workspace. Each attempt that changes one has its own.
#include <linux/openat2.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>

#include "attempt.h"

static void told(int result) {
  if (result != 0) printf("(%s)\n", strerror(errno));
}
// ".env.NAME" of this attempt.
static const char* own(void) {
  static char name[128];
  snprintf(name, sizeof name, ".env.%s", self);
  return name;
}
static void direct(void) { show_path(".env"); }
static void spelled(void) {
  const char* const ways[] = {"./.env",        "sub/../.env",  ".//.env", "sub/.env",
                              "../work/.env",  "/proc/self/cwd/.env", "link-self/.env",
                              "link-self/../work/sub/.env"};
  for (size_t i = 0; i < sizeof ways / sizeof *ways; ++i) show_path(ways[i]);
}
static void modern(void) {
  const __u64 ways[] = {0, RESOLVE_BENEATH, RESOLVE_IN_ROOT, RESOLVE_NO_SYMLINKS, RESOLVE_CACHED};
  for (size_t i = 0; i < sizeof ways / sizeof *ways; ++i) {
    struct open_how how = {.flags = O_RDONLY, .resolve = ways[i]};
    show((int)syscall(SYS_openat2, AT_FDCWD, ".env", &how, sizeof how));
  }
}
static void old(void) { show((int)syscall(SYS_open, ".env", O_RDONLY)); }
static void reference(void) {
  char path[64];
  int fd = open(".env", O_PATH);
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  show_path(path);
  snprintf(path, sizeof path, "/proc/thread-self/fd/%d", fd);
  show_path(path);
}
static void flags(void) {
  const int ways[] = {O_DIRECTORY, O_NOFOLLOW, O_RDWR, O_NOATIME, 3 /*neither*/, O_CREAT, O_EXCL,
                      O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK, O_ASYNC, O_DIRECT};
  for (size_t i = 0; i < sizeof ways / sizeof *ways; ++i) show(open(".env", ways[i], 0600));
}
static void through_symlink(void) {
  symlink(".env", "to-env");
  symlink("to-env", "to-to-env");
  show_path("to-to-env");
}
static void hard_link(void) {
  told(link(".env", "hard-env"));
  show_path("hard-env");
  told(linkat(open(".env", O_PATH), "", AT_FDCWD, "hard-env2", AT_EMPTY_PATH));
  show_path("hard-env2");
}
static void renamed(void) {
  told(rename(own(), "plain"));
  show_path("plain");
}
static void exchanged(void) {
  put_path("swap", "nothing");
  told((int)syscall(SYS_renameat2, AT_FDCWD, own(), AT_FDCWD, "swap", RENAME_EXCHANGE));
  show_path("swap");
}
static void anchored(void) {
  told(rename("vault", "vault2"));
  show_path("vault2/key.txt");
  told(rename("shelf/vault", "v3"));
  show_path("v3/key.txt");
  mkdir("empty", 0755);
  told((int)syscall(SYS_renameat2, AT_FDCWD, "vault", AT_FDCWD, "empty", RENAME_EXCHANGE));
  show_path("empty/key.txt");
}
static void from_within(void) {
  if (chdir("vault") == 0) show_path("key.txt");
  int fd = open("../sub", O_PATH | O_DIRECTORY);
  show(openat(fd, ".env", O_RDONLY));
}
static void bound(void) {
  if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0 && unshare(CLONE_NEWNS) != 0)
    printf("(%s)\n", strerror(errno));
  put_path("cover", "");
  told(mount(".env", "cover", NULL, MS_BIND, NULL));
  show_path("cover");
  mkdir("covered", 0755);
  told(mount("vault", "covered", NULL, MS_BIND, NULL));
  show_path("covered/key.txt");
  int tree = (int)syscall(SYS_open_tree, AT_FDCWD, ".env", 1 /*clone*/);
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", tree);
  show_path(path);
}
static void long_path(void) {
  static char path[8192];
  for (int length = 4085; length < 4100; ++length) {
    int at = 0;
    while (at + 2 + 4 < length) path[at++] = '.', path[at++] = '/';
    strcpy(path + at, ".env");
    int fd = open(path, O_RDONLY);
    if (fd >= 0) show(fd);
  }
  char* huge = malloc(1 << 20);
  memset(huge, '/', 1 << 20);
  strcpy(huge + (1 << 20) - 6, ".env");
  show_path(huge);
}
static void deep(void) {  // a path that no buffer holds
  char name[201];
  memset(name, 'd', 200);
  name[200] = 0;
  for (int i = 0; i < 25; ++i) {
    mkdir(name, 0755);
    if (chdir(name) != 0) return told(-1);
  }
  put_path(".env.deep", "made");
  struct stat info;
  if (stat(".env.deep", &info) == 0) printf("REACHED .env.deep\n");
}
static void passed(void) {  // the reference goes to a sibling
  int pair[2];
  socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
  char control[CMSG_SPACE(sizeof(int))] = {0}, byte = 'x';
  struct iovec data = {&byte, 1};
  struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1, .msg_control = control,
                           .msg_controllen = sizeof control};
  if (fork() == 0) {
    struct cmsghdr* head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET, head->cmsg_type = SCM_RIGHTS, head->cmsg_len = CMSG_LEN(4);
    *(int*)CMSG_DATA(head) = open(".env", O_PATH);
    sendmsg(pair[0], &message, 0);
    _exit(0);
  }
  close(pair[0]);  // so that the end of the other one is seen
  recvmsg(pair[1], &message, 0);
  struct cmsghdr* head = CMSG_FIRSTHDR(&message);
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", head ? *(int*)CMSG_DATA(head) : -1);
  show_path(path);
}
static void sibling(void) {  // by another process's descriptors and directory
  pid_t child = fork();
  if (child == 0) {
    chdir("vault");
    dup2(open("key.txt", O_PATH), 100);
    sleep(2);
    _exit(0);
  }
  usleep(100000);
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/fd/100", child);
  show_path(path);
  snprintf(path, sizeof path, "/proc/%d/cwd/key.txt", child);
  show_path(path);
  snprintf(path, sizeof path, "/proc/%d/task/%d/cwd/key.txt", child, child);
  show_path(path);
}
static int in_vault(void* unused) {
  (void)unused;
  return chdir("vault");
}
static void shared_directory(void) {  // the working directory is another's as well
  static char stack[65536];
  clone(in_vault, stack + sizeof stack, CLONE_FS | CLONE_FILES | CLONE_VM | CLONE_VFORK | 17, NULL);
  show_path("key.txt");
}
static void made_create(void) { put_path(own(), "made"); }
static void made_rename(void) {
  put_path("plain-r", "made");
  told(rename("plain-r", own()));
}
static void made_link(void) {
  put_path("plain-l", "made");
  told(link("plain-l", own()));
}
static void made_symlink(void) { told(symlink("ok.txt", own())); }
static void made_directory(void) { told(mkdir(own(), 0755)); }
static void made_node(void) { told(mknod(own(), S_IFIFO | 0644, 0)); }
static void made_socket(void) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  snprintf(address.sun_path, sizeof address.sun_path, "%s", own());
  told(bind(socket(AF_UNIX, SOCK_STREAM, 0), (struct sockaddr*)&address, sizeof address));
}
static void made_temporary(void) {
  char path[64];
  int fd = open(".", O_TMPFILE | O_RDWR, 0644);
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  told(linkat(AT_FDCWD, path, AT_FDCWD, own(), AT_SYMLINK_FOLLOW));
  told(linkat(fd, "", AT_FDCWD, own(), AT_EMPTY_PATH));
}
static void made_dangling(void) {
  symlink(own(), "to-new");
  put_path("to-new", "made");
}
static void gone_truncate(void) { told(truncate(own(), 0)); }
static void gone_remove(void) { told(unlink(own())); }
static void gone_over(void) {
  put_path("over", "changed");
  told(rename("over", own()));
}
static void gone_write(void) { put(open(own(), O_WRONLY | O_TRUNC), "changed"); }
static void gone_mode(void) { told(chmod(own(), 0777)); }
static void rules(void) {  // the file that narrows what may be done here
  put_path(".cordon.toml", "made");
  told(rename("ok.txt", ".cordon.toml"));
  told(rename("ok2.txt", "sub/.cordon.toml"));
}

const struct attempt kDenied[] = {
    {"env-direct", direct},
    {"env-spelled", spelled},
    {"env-openat2", modern},
    {"env-open", old},
    {"env-reference", reference},
    {"env-flags", flags},
    {"env-symlink", through_symlink},
    {"env-hard-link", hard_link},
    {"env-rename", renamed},
    {"env-exchange", exchanged},
    {"env-anchored", anchored},
    {"env-from-within", from_within},
    {"env-bound", bound},
    {"env-long-path", long_path},
    {"env-deep", deep},
    {"env-passed", passed},
    {"env-sibling", sibling},
    {"env-shared-directory", shared_directory},
    {"env-made-create", made_create},
    {"env-made-rename", made_rename},
    {"env-made-link", made_link},
    {"env-made-symlink", made_symlink},
    {"env-made-directory", made_directory},
    {"env-made-node", made_node},
    {"env-made-socket", made_socket},
    {"env-made-temporary", made_temporary},
    {"env-made-dangling", made_dangling},
    {"env-gone-truncate", gone_truncate},
    {"env-gone-remove", gone_remove},
    {"env-gone-over", gone_over},
    {"env-gone-write", gone_write},
    {"env-gone-mode", gone_mode},
    {"env-rules", rules},
    {NULL, NULL}};
