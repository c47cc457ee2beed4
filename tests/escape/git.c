// Making git, which the person runs later, run something. Each puts up `pwn.sh NAME`, in
// another place, so that what ran tells who put it there.
#include <linux/fs.h>

#include "attempt.h"

static void told(int result) {
  if (result != 0) printf("(%s)\n", strerror(errno));
}
static const char* script(void) {
  static char text[4200];
  snprintf(text, sizeof text, "#!/bin/sh\n%s %s\n", arena("pwn"), self);
  return text;
}
static const char* command(void) {
  static char text[4200];
  snprintf(text, sizeof text, "%s %s", arena("pwn"), self);
  return text;
}
static void hook(void) {
  mkdir(".git/hooks", 0755);
  put_path(".git/hooks/pre-commit", script());
}
static void hook_renamed(void) {
  put_path("h1", script());
  told(rename("h1", ".git/hooks/post-commit"));
  put_path(".git/hooks/post-commit.sample", script());
  told(rename(".git/hooks/post-commit.sample", ".git/hooks/post-commit"));
}
static void hook_linked(void) {
  put_path("h2", script());
  told(link("h2", ".git/hooks/commit-msg"));
  char path[64];
  int fd = open(".", O_TMPFILE | O_RDWR, 0755);
  if (write(fd, script(), strlen(script())) < 0) told(-1);
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  told(linkat(AT_FDCWD, path, AT_FDCWD, ".git/hooks/commit-msg", AT_SYMLINK_FOLLOW));
}
static void hook_symlinked(void) {
  put_path("h3", script());
  told(symlink("../../h3", ".git/hooks/prepare-commit-msg"));
}
static void hooks_exchanged(void) {
  mkdir("hk", 0755);
  put_path("hk/reference-transaction", script());
  if (syscall(SYS_renameat2, AT_FDCWD, "hk", AT_FDCWD, "repo13/.git/hooks", RENAME_EXCHANGE) == 0) return;
  told(rename("repo13/.git/hooks", "hooks-away"));
  told(rename("hk", "repo13/.git/hooks"));
  told(symlink("../../hk", "repo13/.git/hooks"));
  if (access("repo13/.git/hooks", F_OK) != 0) told(rename("hooks-away", "repo13/.git/hooks"));
  if (access("repo13/.git/hooks", F_OK) != 0) mkdir("repo13/.git/hooks", 0755);
}
// In a repository of its own, so that others find the first one whole.
static void directory_renamed(void) {
  told(rename("repo2/.git", "repo2/g"));
  put_path("repo2/g/hooks/pre-commit", script());
  told(rename("repo2/g", "repo2/.git"));
  told((int)syscall(SYS_renameat2, AT_FDCWD, "repo2/g", AT_FDCWD, "repo2/.git", RENAME_EXCHANGE));
  told(symlink("g", "repo2/.git"));
  put_path("repo2/.git", "gitdir: g\n");
}
// A descriptor from before the directory had that name.
static void directory_kept(void) {
  mkdir("fresh", 0755);
  mkdir("fresh/hooks", 0755);
  int fd = open("fresh/hooks", O_RDONLY | O_DIRECTORY);
  told(rename("repo3/.git/hooks", "repo3/old"));
  told(rename("fresh/hooks", "repo3/.git/hooks"));
  put(openat(fd, "pre-commit", O_WRONLY | O_CREAT, 0755), script());
  told(symlinkat("../../../fresh/hooks", open("repo3/.git", O_PATH | O_DIRECTORY), "hooks"));
  told(rename("fresh", "repo3/.git/fresh"));
}
static void config(void) {
  char text[8400];
  snprintf(text, sizeof text, "[core]\n\tfsmonitor = %s\n", command());
  put(open(".git/config", O_WRONLY | O_APPEND), text);
}
// Git's own way: a lock file that takes the place of the configuration.
static void with_lock(const char* directory, const char* more) {
  char old[8192] = "", path[4096], lock[4096];
  snprintf(path, sizeof path, "%s/config", directory);
  snprintf(lock, sizeof lock, "%s/config.lock", directory);
  int fd = open(path, O_RDONLY);
  if (fd >= 0 && read(fd, old, sizeof old - 1) < 0) told(-1);
  strncat(old, more, sizeof old - strlen(old) - 1);
  put_path(lock, old);
  told(rename(lock, path));
  unlink(lock);
}
static void config_lock(void) {
  char text[4300];
  snprintf(text, sizeof text, "[core]\n\teditor = %s\n\tfsmonitor = %s\n", command(), command());
  with_lock("repo4/.git", text);
}
static void config_kept(void) {  // harmless when it is looked at
  char old[8192] = "";
  int fd = open("repo5/.git/config", O_RDONLY);
  if (fd < 0 || read(fd, old, sizeof old - 1) < 0) told(-1);
  int lock = open("repo5/.git/config.lock", O_RDWR | O_CREAT | O_EXCL, 0644);
  if (write(lock, old, strlen(old)) < 0) told(-1);
  told(rename("repo5/.git/config.lock", "repo5/.git/config"));
  char text[4300];
  snprintf(text, sizeof text, "[core]\n\tfsmonitor = %s\n", command());
  if (write(lock, text, strlen(text)) < 0) told(-1);
}
static void config_included(void) {
  char text[4300];
  snprintf(text, sizeof text, "[core]\n\tfsmonitor = %s\n", command());
  put_path("inc", text);
  with_lock("repo6/.git", "[include]\n\tpath = ../../inc\n");
  with_lock("repo6/.git", "[INCLUDEIF \"gitdir:**\"]\n\tpath = ../../inc\n");
  with_lock("repo6/.git", "[core]\n\tbare = false\r\n[include] path = ../../inc\n");
}
// Settings that a list of harmless ones may have missed.
static void config_hooks_of_gc(void) {
  char text[4300];
  snprintf(text, sizeof text, "[gc]\n\trecentObjectsHook = %s\n", command());
  with_lock("repo7/.git", text);
}
static void remote_pushed_to(void) {  // receiving runs the hooks of the other repository
  mkdir("evil", 0755);
  mkdir("evil/objects", 0755);
  mkdir("evil/refs", 0755);
  mkdir("evil/hooks", 0755);
  put_path("evil/HEAD", "ref: refs/heads/x\n");
  put_path("evil/config", "[core]\n\trepositoryformatversion = 0\n\tbare = true\n");
  put_path("evil/hooks/pre-receive", script());
  with_lock("repo8/.git", "[remote \"origin\"]\n\turl = ../evil\n\tpush = HEAD:refs/heads/x\n");
}
static void push_remote(void) {
  mkdir("evil2", 0755);
  mkdir("evil2/objects", 0755);
  mkdir("evil2/refs", 0755);
  mkdir("evil2/hooks", 0755);
  put_path("evil2/HEAD", "ref: refs/heads/x\n");
  put_path("evil2/config", "[core]\n\trepositoryformatversion = 0\n\tbare = true\n");
  put_path("evil2/hooks/pre-receive", script());
  with_lock("repo9/.git", "[branch \"main\"]\n\tpushRemote = ../evil2\n[push]\n\tdefault = current\n");
}
static void pointed_elsewhere(void) {
  mkdir("sub/repo", 0755);
  mkdir("g9", 0755);
  mkdir("g9/objects", 0755);
  mkdir("g9/refs", 0755);
  put_path("g9/HEAD", "ref: refs/heads/main\n");
  char text[4300];
  snprintf(text, sizeof text, "[core]\n\trepositoryformatversion = 0\n\tfsmonitor = %s\n", command());
  put_path("g9/config", text);
  put_path("sub/repo/.git", "gitdir: ../../g9\n");
  put_path("gitfile", "gitdir: ../../g9\n");
  told(rename("gitfile", "sub/repo/.git"));
  told(link("gitfile", "sub/repo/.git"));
  told(symlink("../../g9", "sub/repo/.git"));
  told(rename("g9", "sub/repo/.git"));
}
static void common_directory(void) {
  mkdir("cd", 0755);
  char text[4300];
  snprintf(text, sizeof text, "[core]\n\trepositoryformatversion = 0\n\tfsmonitor = %s\n", command());
  put_path("cd/config", text);
  mkdir("cd/objects", 0755);
  mkdir("cd/refs", 0755);
  put_path("repo10/.git/commondir", "../../cd\n");
  put_path("cdfile", "../../cd\n");
  told(rename("cdfile", "repo10/.git/commondir"));
  told(link("cdfile", "repo10/.git/commondir"));
}
static void worktree_config(void) {
  char text[4300];
  with_lock("repo11/.git", "[extensions]\n\tworktreeConfig = true\n");
  snprintf(text, sizeof text, "[core]\n\tfsmonitor = %s\n", command());
  put_path("repo11/.git/config.worktree", text);
  put_path("repo11/.git/config.worktree.lock", text);
  told(rename("repo11/.git/config.worktree.lock", "repo11/.git/config.worktree"));
}
// The person has put `.git` elsewhere and linked it.
static void linked_directory(void) {
  put_path("repo12/.git/hooks/pre-commit", script());
  put_path("store/hooks/pre-commit", script());
}

// A repository is whatever has these three; git finds it in the directory it is started in.
static const char* own_config(void) {
  static char text[9000];
  snprintf(text, sizeof text,
           "[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n\tfsmonitor = %s\n\tsshCommand = %s\n"
           "[remote \"origin\"]\n\turl = ssh://x/y\n",
           command(), command());
  return text;
}
static void make_own(const char* place, int head) {
  char path[4096];
  mkdir(place, 0755);
  snprintf(path, sizeof path, "%s/objects", place);
  mkdir(path, 0755);
  snprintf(path, sizeof path, "%s/refs", place);
  mkdir(path, 0755);
  snprintf(path, sizeof path, "%s/HEAD", place);
  if (head) put_path(path, "ref: refs/heads/x\n");
}
static void own_repository(void) {
  mkdir("own1", 0755);
  put_path("own1/config", own_config());
  make_own("own1", 1);
  put_path("h4", "ref: refs/heads/x\n");
  told(rename("h4", "own1/HEAD"));
  put_path("h4", "ref: refs/heads/x\n");
  told(link("h4", "own1/HEAD"));
  told(symlink("refs/heads/x", "own1/HEAD"));
}
static void own_settings_kept(void) {  // harmless when it is looked at
  mkdir("own2", 0755);
  int fd = open("own2/config", O_RDWR | O_CREAT, 0644);
  put(dup(fd), "[core]\n\tbare = false\n");
  make_own("own2", 1);
  if (pwrite(fd, own_config(), strlen(own_config()), 0) < 0) told(-1);
}
static void own_moved(void) {  // put together where only a repository's own things are
  make_own("repo14/.git/x", 1);
  put_path("repo14/.git/x/config", own_config());
  told(rename("repo14/.git/x", "own3"));
  make_own("repo14/.git/objects/x", 0);
  put_path("repo14/.git/objects/x/config", own_config());
  put_path("repo14/.git/objects/x/HEAD", "ref: refs/heads/x\n");
  told(rename("repo14/.git/objects/x", "own3"));
}
static void own_worktree(void) {  // whose commondir, ../.., then means another directory
  make_own("deep", 0);
  put_path("deep/config", own_config());
  mkdir("deep/a", 0755);
  told(rename("repo15/.git/worktrees/w", "deep/a/w"));
  told(rename("repo15/.git/worktrees", "deep/a"));
  mkdir("deep/a/w", 0755);
  put_path("deep/a/w/HEAD", "ref: refs/heads/x\n");
  put_path("deep/a/w/commondir", "../..\n");
}

const struct attempt kGit[] = {
    {"git-hook", hook},
    {"git-hook-renamed", hook_renamed},
    {"git-hook-linked", hook_linked},
    {"git-hook-symlinked", hook_symlinked},
    {"git-hooks-exchanged", hooks_exchanged},
    {"git-directory-renamed", directory_renamed},
    {"git-directory-kept", directory_kept},
    {"git-config", config},
    {"git-config-lock", config_lock},
    {"git-config-kept", config_kept},
    {"git-config-included", config_included},
    {"git-config-gc", config_hooks_of_gc},
    {"git-remote", remote_pushed_to},
    {"git-push-remote", push_remote},
    {"git-pointed-elsewhere", pointed_elsewhere},
    {"git-common-directory", common_directory},
    {"git-worktree-config", worktree_config},
    {"git-linked-directory", linked_directory},
    {"git-own-repository", own_repository},
    {"git-own-settings-kept", own_settings_kept},
    {"git-own-moved", own_moved},
    {"git-own-worktree", own_worktree},
    {NULL, NULL}};
