// Processes outside, the one that supervises, and lasting longer than allowed.
#include <dirent.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>

#include "attempt.h"

static pid_t victim(void) { return atoi(arena("victim")); }
static void* address(void) { return (void*)strtoul(arena("victim_address"), NULL, 10); }

static void read_memory(void) {
  char bytes[64] = "";
  struct iovec here = {bytes, sizeof bytes}, there = {address(), sizeof bytes};
  if (process_vm_readv(victim(), &here, 1, &there, 1, 0) < 0) printf("(%s)\n", strerror(errno));
  printf("%.64s\n", bytes);
}
static void memory_file(void) {
  char path[64], bytes[64] = "";
  snprintf(path, sizeof path, "/proc/%d/mem", victim());
  int fd = open(path, O_RDONLY);
  if (pread(fd, bytes, sizeof bytes, (off_t)address()) < 0) printf("(%s)\n", strerror(errno));
  printf("%.64s\n", bytes);
}
static void trace(void) {
  if (ptrace(PTRACE_SEIZE, victim(), NULL, NULL) != 0) return show(-1);
  ptrace(PTRACE_INTERRUPT, victim(), NULL, NULL);
  waitpid(victim(), NULL, __WALL);
  long words[8];
  for (int i = 0; i < 8; ++i) words[i] = ptrace(PTRACE_PEEKDATA, victim(), (long*)address() + i, 0);
  ptrace(PTRACE_DETACH, victim(), NULL, NULL);
  printf("%.64s\n", (char*)words);
}
static void signals(void) {
  siginfo_t info = {.si_code = SI_QUEUE};
  reached(kill(victim(), SIGUSR1));
  syscall(SYS_tgkill, victim(), victim(), SIGUSR1);
  syscall(SYS_rt_sigqueueinfo, victim(), SIGUSR1, &info);
  long fd = syscall(SYS_pidfd_open, victim(), 0);
  if (fd >= 0) syscall(SYS_pidfd_send_signal, fd, SIGUSR1, NULL, 0);
}
static void signal_by_descriptor(void) {
  int pair[2];
  socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
  fcntl(pair[0], F_SETOWN, victim());
  fcntl(pair[0], F_SETSIG, SIGUSR1);
  fcntl(pair[0], F_SETFL, O_ASYNC);
  put(pair[1], "x");
  usleep(50000);
}
static void take_descriptor(void) {
  long fd = syscall(SYS_pidfd_open, victim(), 0);
  show((int)syscall(SYS_pidfd_getfd, fd, atoi(arena("victim_reads")), 0));
}
static void limits(void) {
  struct rlimit limit = {200, 200};
  if (prlimit(victim(), RLIMIT_NOFILE, &limit, NULL) != 0) show(-1);
}
static void priority(void) {
  if (setpriority(PRIO_PROCESS, (id_t)victim(), 7) != 0) show(-1);
}
static void affinity(void) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(0, &one);
  if (sched_setaffinity(victim(), sizeof one, &one) != 0) show(-1);
}
// Whoever started all this may be in the same group, which this one stays in. The harness
// puts nobody else there.
static void group(void) {
  signal(SIGUSR1, SIG_IGN);
  reached(kill(0, SIGUSR1));
}

// The supervising process: the nearest one above with that name.
static pid_t warden(void) {
  for (pid_t at = getppid(); at > 0;) {
    char path[64], line[1024] = "", name[64] = "";
    snprintf(path, sizeof path, "/proc/%d/stat", at);
    int fd = open(path, O_RDONLY), above = 0;
    if (fd < 0 || read(fd, line, sizeof line - 1) <= 0) return -1;
    close(fd);
    sscanf(line, "%*d (%63[^)]) %*c %d", name, &above);
    if (!strcmp(name, "cordon-launch")) return at;
    at = above;
  }
  return -1;
}
static void end_warden(void) {
  const pid_t it = warden();
  if (it > 0) {
    kill(it, SIGSTOP);
    usleep(100000);
    kill(it, SIGCONT);
    kill(it, SIGKILL);
    usleep(200000);
  }
  show_path(".env");
}
static void warden_memory(void) {
  char path[64], bytes[8];
  struct iovec here = {bytes, 8}, there = {(void*)0x400000, 8};
  pid_t it = warden();
  if (it <= 0) return;
  if (process_vm_readv(it, &here, 1, &there, 1, 0) > 0) reached(1);
  if (ptrace(PTRACE_SEIZE, it, NULL, NULL) == 0) reached(2);
  const char* const files[] = {"mem", "maps", "environ", "auxv", "stack", "syscall", "io",
                               "fdinfo/0", "map_files", "task/1/mem", "ns/mnt", "pagemap"};
  for (size_t i = 0; i < sizeof files / sizeof *files; ++i) {
    snprintf(path, sizeof path, "/proc/%d/%s", it, files[i]);
    int fd = open(path, O_RDONLY);
    if (fd >= 0 && read(fd, bytes, 1) > 0) printf("REACHED %s\n", path);
    if (fd >= 0) close(fd);
  }
  snprintf(path, sizeof path, "/proc/%d/mem", it);
  if (open(path, O_RDWR) >= 0) reached(3);
}
static void warden_descriptors(void) {
  char path[64];
  pid_t it = warden();
  long process = syscall(SYS_pidfd_open, it, 0);
  for (int fd = 0; fd < 64 && it > 0; ++fd) {
    if (syscall(SYS_pidfd_getfd, process, fd, 0) >= 0) reached(fd);
    snprintf(path, sizeof path, "/proc/%d/fd/%d", it, fd);
    if (open(path, O_RDWR | O_NONBLOCK) >= 0) reached(100 + fd);
    if (open(path, O_RDONLY | O_NONBLOCK) >= 0) reached(200 + fd);
  }
}

static void daemonize(void) {
  if (fork() == 0) {
    setsid();
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    prctl(PR_SET_PDEATHSIG, 0);
    if (fork() != 0) _exit(0);
    for (int fd = 0; fd < 64; ++fd) close(fd);
    execl("./escape", "escape", "linger", arena("mark"), (char*)NULL);
    _exit(1);
  }
  usleep(200000);
}
static void linger(void) { sleep(30); }
static void forks(void) {
  int made = 0;
  for (; made < 300; ++made) {
    pid_t child = fork();
    if (child < 0) break;
    if (child == 0) sleep(5), _exit(0);
  }
  if (made > 100) reached(made);
}
static void memory(void) {
  if (fork() == 0) {
    for (int i = 0; i < 400; ++i) {
      char* block = malloc(1 << 20);
      if (block) memset(block, 1, 1 << 20);
    }
    usleep(300000);
    printf("REACHED 400 MiB\n");
    fflush(stdout);
    _exit(0);
  }
  wait(NULL);
}
// A listener that accepts nothing: whoever connects waits.
static void hang_connecting(void) {
  struct sockaddr_un address_of = {.sun_family = AF_UNIX, .sun_path = "full"};
  int listener = socket(AF_UNIX, SOCK_STREAM, 0);
  bind(listener, (struct sockaddr*)&address_of, sizeof address_of);
  listen(listener, 0);
  alarm(0);
  for (int i = 0; i < 8; ++i)
    if (fork() == 0)
      alarm(0), connect(socket(AF_UNIX, SOCK_STREAM, 0), (struct sockaddr*)&address_of,
                        sizeof address_of), pause();
  for (;;) pause();
}
static void hang_opening(void) {
  mkfifo("fifo", 0644);
  alarm(0);
  for (int i = 0; i < 8; ++i)
    if (fork() == 0) alarm(0), open("fifo", i % 2 ? O_WRONLY : O_RDONLY), pause();
  for (;;) pause();
}

const struct attempt kProcesses[] = {
    {"process-memory", read_memory},
    {"process-memory-file", memory_file},
    {"process-trace", trace},
    {"process-signals", signals},
    {"process-signal-by-descriptor", signal_by_descriptor},
    {"process-descriptor", take_descriptor},
    {"process-limits", limits},
    {"process-priority", priority},
    {"process-affinity", affinity},
    {"process-group", group},
    {"warden-end", end_warden},
    {"warden-memory", warden_memory},
    {"warden-descriptors", warden_descriptors},
    {"survive", daemonize},
    {"linger", linger},
    {"forks", forks},
    {"memory", memory},
    {"hang-connecting", hang_connecting},
    {"hang-opening", hang_opening},
    {NULL, NULL}};
