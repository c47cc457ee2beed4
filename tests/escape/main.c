// escape NAME...: each attempt in a process of its own, its output after a line "== NAME".
// escape victim ...: a process outside that others try to get at.
#include <sys/prctl.h>
#include <sys/wait.h>
#include <signal.h>
#include <time.h>
#include <linux/capability.h>

#include "attempt.h"

const char* self = "";
static char g_arena[65536];

static void read_arena(void) {
  int fd = open("arena", O_RDONLY);
  ssize_t size = fd < 0 ? 0 : read(fd, g_arena, sizeof g_arena - 1);
  g_arena[size < 0 ? 0 : size] = 0;
  if (fd >= 0) close(fd);
}

const char* arena(const char* key) {
  static char values[8][4096];
  static int next;
  char* value = values[next++ % 8];
  size_t length = strlen(key);
  for (const char* line = g_arena; *line;) {
    const char* end = strchrnul(line, '\n');
    if (!strncmp(line, key, length) && line[length] == '=') {
      snprintf(value, 4096, "%.*s", (int)(end - line - length - 1), line + length + 1);
      return value;
    }
    line = *end ? end + 1 : end;
  }
  return "";
}

const char* outside(const char* name) {
  static char paths[4][4096];
  static int next;
  char* path = paths[next++ % 4];
  snprintf(path, 4096, "%s/%s", arena("outside"), name);
  return path;
}

const char* canary(void) { return outside(self); }

void show(int fd) {
  char bytes[4096];
  if (fd < 0) {
    printf("(%s)\n", strerror(errno));
    return;
  }
  ssize_t size = read(fd, bytes, sizeof bytes);
  if (size > 0) fwrite(bytes, 1, (size_t)size, stdout);
  close(fd);
}
void show_path(const char* path) { show(open(path, O_RDONLY | O_NONBLOCK)); }
void put(int fd, const char* text) {
  if (fd < 0) {
    printf("(%s)\n", strerror(errno));
    return;
  }
  if (write(fd, text, strlen(text)) < 0) printf("(%s)\n", strerror(errno));
  close(fd);
}
void put_path(const char* path, const char* text) {
  put(open(path, O_WRONLY | O_CREAT | O_TRUNC, 0755), text);
}
void reached(long result) {
  if (result >= 0) printf("REACHED %ld\n", result);
  else printf("(%s)\n", strerror(errno));
}
double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}
double race_time(void) {
  const char* text = arena("race");
  return *text ? atof(text) : 3;
}

static const struct attempt* find(const char* name) {
  const struct attempt* const tables[] = {kReading,   kChanging, kDenied, kGit,
                                          kProcesses, kSockets,  kKernel, kRaces};
  for (size_t i = 0; i < sizeof tables / sizeof *tables; ++i)
    for (const struct attempt* each = tables[i]; each->name; ++each)
      if (!strcmp(each->name, name)) return each;
  return NULL;
}

static void try_one(const struct attempt* attempt) {
  printf("\n== %s\n", attempt->name);
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    self = attempt->name;
    if (strcmp(self, "process-group") != 0) setpgid(0, 0);
    alarm(10 + (unsigned)race_time());
    attempt->run();
    fflush(stdout);
    _exit(0);
  }
  int status;
  waitpid(child, &status, 0);
  kill(-child, SIGKILL);
  while (waitpid(-1, &status, WNOHANG) > 0) {
  }
}

static volatile sig_atomic_t g_signals;
static void count(int number) { (void)number, ++g_signals; }

// Tells its address and waits for the end of its input; then tells how many signals came.
// Without capabilities, so that one without any may trace it.
static int victim(const char* secret, const char* to_read, const char* to_write) {
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct none[2] = {{0, 0, 0}, {0, 0, 0}};
  syscall(SYS_capset, &header, none);
  prctl(PR_SET_DUMPABLE, 1);
  static char memory[256];
  snprintf(memory, sizeof memory, "%s", secret);
  int reading = open(to_read, O_RDONLY), writing = open(to_write, O_RDWR);
  if (reading < 0 || writing < 0) return 1;
  struct sigaction action = {.sa_handler = count, .sa_flags = SA_RESTART};
  sigaction(SIGUSR1, &action, NULL);
  printf("%d %lu %d %d\n", getpid(), (unsigned long)memory, reading, writing);
  fflush(stdout);
  char byte;
  while (read(0, &byte, 1) > 0) {
  }
  printf("%d\n", (int)g_signals);
  return 0;
}

int main(int count_of, char** words) {
  if (count_of == 5 && !strcmp(words[1], "victim")) return victim(words[2], words[3], words[4]);
  if (count_of == 3 && !strcmp(words[1], "cat")) {  // with whatever rights this file gives
    show_path(words[2]);
    return 0;
  }
  read_arena();
  for (int i = 1; i < count_of; ++i) {
    const struct attempt* attempt = find(words[i]);
    if (!attempt) return fprintf(stderr, "no attempt %s\n", words[i]), 2;
    try_one(attempt);
  }
  printf("\n== end\n");
  return 0;
}
