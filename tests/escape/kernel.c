// Parts of the kernel that no command needs, other ways of calling it, and more rights.
#include <linux/bpf.h>
#include <linux/filter.h>
#include <linux/io_uring.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/fanotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "attempt.h"

struct ring {
  int fd;
  unsigned *tail, *mask, *array, *cq_head, *cq_tail, *cq_mask;
  struct io_uring_sqe* entries;
  struct io_uring_cqe* results;
};
static int open_ring(struct ring* ring) {
  struct io_uring_params terms = {0};
  ring->fd = (int)syscall(SYS_io_uring_setup, 4, &terms);
  if (ring->fd < 0) return -1;
  char* sq = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, ring->fd, IORING_OFF_SQ_RING);
  char* cq = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, ring->fd, IORING_OFF_CQ_RING);
  ring->entries = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, ring->fd, IORING_OFF_SQES);
  ring->tail = (unsigned*)(sq + terms.sq_off.tail);
  ring->mask = (unsigned*)(sq + terms.sq_off.ring_mask);
  ring->array = (unsigned*)(sq + terms.sq_off.array);
  ring->cq_head = (unsigned*)(cq + terms.cq_off.head);
  ring->cq_mask = (unsigned*)(cq + terms.cq_off.ring_mask);
  ring->results = (struct io_uring_cqe*)(cq + terms.cq_off.cqes);
  return 0;
}
// Opens by a request in shared memory; there is no call that could be looked at.
static int ring_open(const char* path, int flags) {
  struct ring ring;
  if (open_ring(&ring) != 0) return -1;
  unsigned at = *ring.tail & *ring.mask;
  memset(&ring.entries[at], 0, sizeof ring.entries[at]);
  ring.entries[at].opcode = IORING_OP_OPENAT;
  ring.entries[at].fd = AT_FDCWD;
  ring.entries[at].addr = (__u64)path;
  ring.entries[at].open_flags = (__u32)flags;
  ring.array[at] = at;
  __atomic_store_n(ring.tail, *ring.tail + 1, __ATOMIC_RELEASE);
  if (syscall(SYS_io_uring_enter, ring.fd, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0) < 0) return -1;
  int result = ring.results[*ring.cq_head & *ring.cq_mask].res;
  if (result < 0) errno = -result;
  return result < 0 ? -1 : result;
}
static void ring_env(void) { show(ring_open(".env", O_RDONLY)); }
static void ring_outside(void) { show(ring_open(outside("secret"), O_RDONLY)); }
static void ring_change(void) { put(ring_open(canary(), O_WRONLY | O_TRUNC), "changed"); }
static void ring_itself(void) {
  struct ring ring;
  reached(open_ring(&ring) == 0 ? ring.fd : -1);
}

#ifdef __x86_64__
// Addresses must fit into 32 bits.
static char* low(const char* text) {
  char* page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
  return strcpy(page, text);
}
static long call32(long number, long a, long b, long c) {
  long result;
  __asm__ volatile("int $0x80" : "=a"(result) : "a"(number), "b"(a), "c"(b), "d"(c)
                   : "memory", "r8", "r9", "r10", "r11");
  if (result < 0) errno = (int)-result;
  return result < 0 ? -1 : result;
}
static void old_env(void) { show((int)call32(5, (long)low(".env"), O_RDONLY, 0)); }
static void old_outside(void) { show((int)call32(5, (long)low(outside("secret")), O_RDONLY, 0)); }
static void old_unlink(void) { call32(10, (long)low(canary()), 0, 0); }
static void old_call(void) { reached(call32(20, 0, 0, 0)); }
static void wide_env(void) { show((int)syscall(0x40000000 + SYS_open, ".env", O_RDONLY)); }
static void wide_openat(void) {
  show((int)syscall(0x40000000 + SYS_openat, AT_FDCWD, ".env", O_RDONLY));
}
#else
static void none(void) {}
#define old_env none
#define old_outside none
#define old_unlink none
#define old_call none
#define wide_env none
#define wide_openat none
#endif

static void bpf_map(void) {
  union bpf_attr terms = {.map_type = BPF_MAP_TYPE_ARRAY, .key_size = 4, .value_size = 4, .max_entries = 1};
  reached(syscall(SYS_bpf, BPF_MAP_CREATE, &terms, sizeof terms));
}
static void faults(void) { reached(syscall(SYS_userfaultfd, 1 /*user mode only*/)); }
static void keys(void) { reached(syscall(SYS_add_key, "user", "escape", "x", 1, -2)); }
static void performance(void) {
  struct { unsigned type, size; unsigned long more[16]; } terms = {1, 136, {0}};
  terms.more[4] = 1UL << 5 | 1UL << 6;  // neither kernel nor hypervisor
  reached(syscall(SYS_perf_event_open, &terms, 0, -1, -1, 0));
}
static void user_namespace(void) { reached(unshare(CLONE_NEWUSER)); }
static void cloned_namespace(void) {
  long child = syscall(SYS_clone, CLONE_NEWUSER | 17, 0, 0, 0, 0);
  if (child == 0) _exit(0);
  reached(child);
}
static void cloned3_namespace(void) {
  unsigned long terms[8] = {CLONE_NEWUSER, 0, 0, 0, 17, 0, 0, 0};
  long child = syscall(SYS_clone3, terms, sizeof terms);
  if (child == 0) _exit(0);
  reached(child);
}
static void mounts(void) {
  unshare(CLONE_NEWUSER | CLONE_NEWNS);
  mkdir("mnt", 0755);
  reached(mount("none", "mnt", "tmpfs", 0, NULL));
}
static void new_mounts(void) { reached(syscall(SYS_fsopen, "tmpfs", 0)); }
static void listener(void) {
  struct sock_filter all = {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW};
  struct sock_fprog program = {1, &all};
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  reached(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program));
}
static void old_personality(void) { reached(personality(READ_IMPLIES_EXEC)); }
static void notify(void) { reached(syscall(SYS_fanotify_init, 0x200 /*by file*/, O_RDONLY)); }
static void host_name(void) { reached(sethostname("escaped", 7)); }

static void run(const char* program, const char* file) {
  fflush(stdout);
  if (fork() == 0) {
    execl(program, program, "cat", file, (char*)NULL);
    _exit(1);
  }
  wait(NULL);
}
static void set_user(void) { run("./set-user", "their-secret"); }
static void set_user_preloaded(void) {
  setenv("LD_PRELOAD", "./escape", 1);
  run("./set-user", "their-secret");
}
static void file_capability(void) { run("./with-capability", "their-secret"); }
static void become(void) {
  const uid_t other = (uid_t)atoi(arena("other_user"));
  if (setresuid(other, other, other) != 0) show(-1);
  show_path("their-secret");
}

// Where the standard input is a terminal of somebody.
static void inject(void) {
  for (const char* at = "injected\n"; *at; ++at) ioctl(0, TIOCSTI, at);
}
static void inject_high(void) {
  for (const char* at = "injected\n"; *at; ++at) syscall(SYS_ioctl, 0, 0xffffffff00000000UL | TIOCSTI, at);
}
static void inject_opened(void) {
  int fd = open("/dev/tty", O_RDWR);
  if (fd < 0) return show(fd);
  for (const char* at = "injected\n"; *at; ++at) ioctl(fd, TIOCSTI, at);
}

const struct attempt kKernel[] = {
    {"env-ring", ring_env},
    {"read-ring", ring_outside},
    {"change-ring", ring_change},
    {"kernel-ring", ring_itself},
    {"env-32-bit", old_env},
    {"read-32-bit", old_outside},
    {"change-32-bit", old_unlink},
    {"kernel-32-bit", old_call},
    {"env-x32", wide_env},
    {"env-x32-openat", wide_openat},
    {"kernel-bpf", bpf_map},
    {"kernel-faults", faults},
    {"kernel-keys", keys},
    {"kernel-performance", performance},
    {"kernel-user-namespace", user_namespace},
    {"kernel-cloned-namespace", cloned_namespace},
    {"kernel-cloned3-namespace", cloned3_namespace},
    {"kernel-mount", mounts},
    {"kernel-new-mount", new_mounts},
    {"kernel-listener", listener},
    {"kernel-personality", old_personality},
    {"kernel-notify", notify},
    {"kernel-host-name", host_name},
    {"rights-set-user", set_user},
    {"rights-preloaded", set_user_preloaded},
    {"rights-file", file_capability},
    {"rights-become", become},
    {"terminal-inject", inject},
    {"terminal-high-bits", inject_high},
    {"terminal-opened", inject_opened},
    {NULL, NULL}};
