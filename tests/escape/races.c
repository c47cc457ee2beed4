// Changing what a name means while somebody looks at it.
#include <linux/fs.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>

#include "attempt.h"

static char g_path[64];
static volatile int g_stop;
static const char *g_one, *g_other;

static void* rewrite(void* unused) {
  (void)unused;
  while (!g_stop) {
    strcpy(g_path, g_one);
    strcpy(g_path, g_other);
  }
  return NULL;
}
// The argument is the same memory all the time; its bytes are not.
static void rewritten(const char* one, const char* other, void (*use)(void)) {
  pthread_t writers[2];
  g_one = one, g_other = other;
  strcpy(g_path, one);
  for (int i = 0; i < 2; ++i) pthread_create(&writers[i], NULL, rewrite, NULL);
  for (double end = seconds() + race_time(); seconds() < end;)
    for (int i = 0; i < 100; ++i) use();
  g_stop = 1;
  for (int i = 0; i < 2; ++i) pthread_join(writers[i], NULL);
}
// Prints only what is not the harmless content.
static void show_other(int fd) {
  char bytes[512];
  if (fd < 0) return;
  ssize_t size = read(fd, bytes, sizeof bytes);
  if (size > 0 && memcmp(bytes, "ok", 2) != 0) fwrite(bytes, 1, (size_t)size, stdout), fflush(stdout);
  close(fd);
}
static void read_it(void) { show_other(open(g_path, O_RDONLY)); }
static void create_it(void) {
  int fd = open(g_path, O_WRONLY | O_CREAT, 0644);
  if (fd >= 0) close(fd);
}
static void rename_it(void) {
  if (rename(g_path, "race-moved") == 0) show_other(open("race-moved", O_RDONLY));
  put_path("ok-r.txt", "ok");
}
static void link_it(void) {
  unlink("race-link");
  if (link(g_path, "race-link") == 0) show_other(open("race-link", O_RDONLY));
}
static void remove_it(void) { truncate(g_path, 1); }
static void argument_read(void) { rewritten("ok.txt", ".env", read_it); }
static void argument_create(void) { rewritten("ok-c.txt", ".env.race-c", create_it); }
static void argument_rename(void) { rewritten("ok-r.txt", ".env.race-r", rename_it); }
static void argument_link(void) { rewritten("ok.txt", ".env", link_it); }
static void argument_truncate(void) { rewritten("ok-t.txt", ".env.race-t", remove_it); }
static void argument_outside(void) {
  static char text[64];
  snprintf(text, sizeof text, "../outside/race-arg");
  rewritten("ok-o.txt", text, create_it);
}

static pid_t g_swapper;
// Another process exchanges two entries as fast as it can.
static void swap(const char* one, const char* other) {
  g_swapper = fork();
  if (g_swapper != 0) return;
  for (;;) syscall(SYS_renameat2, AT_FDCWD, one, AT_FDCWD, other, RENAME_EXCHANGE);
}
static void stop_swapping(void) {
  kill(g_swapper, SIGKILL);
  waitpid(g_swapper, NULL, 0);
}
static void swapped_read(void) {
  mkdir("turn", 0755);
  put_path("turn/secret", "ok");
  symlink("../outside", "turn-link");
  swap("turn", "turn-link");
  for (double end = seconds() + race_time(); seconds() < end;) show_other(open("turn/secret", O_RDONLY));
  stop_swapping();
}
static void swapped_write(void) {
  mkdir("wturn", 0755);
  symlink("../outside", "wturn-link");
  swap("wturn", "wturn-link");
  for (double end = seconds() + race_time(); seconds() < end;) {
    int fd = open("wturn/made-by-race", O_WRONLY | O_CREAT, 0644);
    if (fd >= 0) close(fd);
    unlink("wturn/made-by-race");
    mkdir("wturn/made-by-race-d", 0755);
    rename("wturn/mine", "wturn/made-by-race-r");
  }
  stop_swapping();
}
// A name in a directory that has another name, and other rules, a moment later.
static void parent_renamed(void) {
  mkdir("pa", 0755);
  mkdir("vault-b", 0755);
  swap("pa", "vault");
  for (double end = seconds() + race_time(); seconds() < end;) {
    show_other(open("pa/key.txt", O_RDONLY));
    int fd = open("pa/race-new", O_WRONLY | O_CREAT, 0644);
    if (fd >= 0) close(fd);
  }
  stop_swapping();
}
static void link_turned(void) {
  symlink("ok.txt", "lt");
  symlink(".env", "lt2");
  swap("lt", "lt2");
  for (double end = seconds() + race_time(); seconds() < end;) show_other(open("lt", O_RDONLY));
  stop_swapping();
}
// The number of a descriptor means another directory.
static void* turn_descriptor(void* unused) {
  (void)unused;
  int plain = open("plain-d", O_PATH | O_DIRECTORY), vault = open("vault", O_PATH | O_DIRECTORY);
  while (!g_stop) dup2(plain, 200), dup2(vault, 200);
  return NULL;
}
static void descriptor_turned(void) {
  mkdir("plain-d", 0755);
  put_path("plain-d/key.txt", "ok");
  pthread_t turner;
  pthread_create(&turner, NULL, turn_descriptor, NULL);
  for (double end = seconds() + race_time(); seconds() < end;) show_other(openat(200, "key.txt", O_RDONLY));
  g_stop = 1;
  pthread_join(turner, NULL);
}
// Processes that die while their call waits, so that their numbers come back.
static void numbers_reused(void) {
  for (double end = seconds() + race_time(); seconds() < end;) {
    pid_t child = fork();
    if (child == 0) {
      if (fork() == 0) show_other(open(".env", O_RDONLY));
      open("ok.txt", O_RDONLY);
      _exit(0);
    }
    usleep(50);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
  }
}
static void* flood_one(void* unused) {
  (void)unused;
  while (!g_stop) show_other(open(".env", O_RDONLY));
  return NULL;
}
static void flood(void) {
  pthread_t all[200];
  int made = 0;
  while (made < 200 && pthread_create(&all[made], NULL, flood_one, NULL) == 0) ++made;
  usleep((unsigned)(race_time() * 1e6));
  g_stop = 1;
  for (int i = 0; i < made; ++i) pthread_join(all[i], NULL);
}

const struct attempt kRaces[] = {
    {"race-argument-read", argument_read},
    {"race-argument-create", argument_create},
    {"race-argument-rename", argument_rename},
    {"race-argument-link", argument_link},
    {"race-argument-truncate", argument_truncate},
    {"race-argument-outside", argument_outside},
    {"race-swapped-read", swapped_read},
    {"race-swapped-write", swapped_write},
    {"race-parent", parent_renamed},
    {"race-symlink", link_turned},
    {"race-descriptor", descriptor_turned},
    {"race-numbers", numbers_reused},
    {"race-flood", flood},
    {NULL, NULL}};
