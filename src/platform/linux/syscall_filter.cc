#include "platform/syscall_filter.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <memory>

#include "base/try.h"
#include "platform/linux/error_from_errno.h"
#include "platform/linux/newer_calls.h"
#include "platform/unique_fd.h"

namespace cordon::platform {
namespace {

static_assert(sizeof(FilterInstruction) == sizeof(sock_filter));
static_assert(offsetof(FilterInstruction, jump_true) == offsetof(sock_filter, jt));
static_assert(offsetof(FilterInstruction, jump_false) == offsetof(sock_filter, jf));
static_assert(offsetof(FilterInstruction, operand) == offsetof(sock_filter, k));

constexpr std::uint64_t kLow = 0xffffffff;  // the part of an argument that an int keeps
constexpr std::uint64_t kNewTime = 0x80;    // CLONE_NEWTIME
// O_TMPFILE without the bit of O_DIRECTORY that it includes.
constexpr std::uint64_t kTemporaryBit = static_cast<std::uint64_t>(O_TMPFILE & ~O_DIRECTORY);

// Refused with EPERM, whatever the arguments.
constexpr int kForbidden[] = {
    // Other processes' memory and descriptors.
    SCMP_SYS(ptrace), SCMP_SYS(process_vm_readv), SCMP_SYS(process_vm_writev),
    SCMP_SYS(process_madvise), SCMP_SYS(pidfd_getfd), SCMP_SYS(kcmp), SCMP_SYS(move_pages),
    SCMP_SYS(migrate_pages),
    // What is mounted where.
    SCMP_SYS(mount), SCMP_SYS(umount), SCMP_SYS(umount2), SCMP_SYS(pivot_root), SCMP_SYS(chroot),
    SCMP_SYS(fsopen), SCMP_SYS(fsconfig), SCMP_SYS(fsmount), SCMP_SYS(fspick), SCMP_SYS(open_tree),
    SCMP_SYS(move_mount), SCMP_SYS(mount_setattr), kCallOpenTreeAttr, SCMP_SYS(setns),
    // Large parts of the kernel that commands do not need.
    SCMP_SYS(bpf), SCMP_SYS(perf_event_open), SCMP_SYS(userfaultfd), SCMP_SYS(fanotify_init),
    SCMP_SYS(keyctl), SCMP_SYS(add_key), SCMP_SYS(request_key), SCMP_SYS(open_by_handle_at),
    SCMP_SYS(lookup_dcookie), kCallFileSetattr,
    // The machine itself.
    SCMP_SYS(kexec_load), SCMP_SYS(kexec_file_load), SCMP_SYS(init_module), SCMP_SYS(finit_module),
    SCMP_SYS(delete_module), SCMP_SYS(reboot), SCMP_SYS(swapon), SCMP_SYS(swapoff), SCMP_SYS(acct),
    SCMP_SYS(quotactl), SCMP_SYS(quotactl_fd), SCMP_SYS(iopl), SCMP_SYS(ioperm), SCMP_SYS(syslog),
    SCMP_SYS(settimeofday), SCMP_SYS(clock_settime), SCMP_SYS(clock_adjtime), SCMP_SYS(adjtimex),
    SCMP_SYS(vhangup), SCMP_SYS(sethostname), SCMP_SYS(setdomainname), SCMP_SYS(nfsservctl)};

// As on a kernel without them: callers know another way. clone's flags can be looked at,
// clone3's cannot.
constexpr int kAbsent[] = {SCMP_SYS(clone3),         SCMP_SYS(io_uring_setup),
                           SCMP_SYS(io_uring_enter), SCMP_SYS(io_uring_register),
                           SCMP_SYS(uselib),         SCMP_SYS(_sysctl)};

constexpr int kSupervised[] = {
    SCMP_SYS(openat2),   SCMP_SYS(creat),       SCMP_SYS(rename),       SCMP_SYS(renameat),
    SCMP_SYS(renameat2), SCMP_SYS(link),        SCMP_SYS(linkat),       SCMP_SYS(symlink),
    SCMP_SYS(symlinkat), SCMP_SYS(unlink),      SCMP_SYS(unlinkat),     SCMP_SYS(rmdir),
    SCMP_SYS(mkdir),     SCMP_SYS(mkdirat),     SCMP_SYS(mknod),        SCMP_SYS(mknodat),
    SCMP_SYS(chmod),     SCMP_SYS(fchmod),      SCMP_SYS(fchmodat),     kCallFchmodat2,
    SCMP_SYS(chown),     SCMP_SYS(lchown),      SCMP_SYS(fchown),       SCMP_SYS(fchownat),
    SCMP_SYS(truncate),  SCMP_SYS(utime),       SCMP_SYS(utimes),       SCMP_SYS(utimensat),
    SCMP_SYS(futimesat), SCMP_SYS(setxattr),    SCMP_SYS(lsetxattr),    SCMP_SYS(fsetxattr),
    kCallSetxattrat,     SCMP_SYS(removexattr), SCMP_SYS(lremovexattr), SCMP_SYS(fremovexattr),
    kCallRemovexattrat,  SCMP_SYS(bind)};

class Compiler {
 public:
  Compiler() : context_(seccomp_init(SCMP_ACT_ALLOW), &seccomp_release) {
    if (context_ == nullptr) {
      Fail(-ENOMEM);
      return;
    }
    Fail(seccomp_attr_set(context_.get(), SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS));
    // A tree over the numbers instead of a list.
    Fail(seccomp_attr_set(context_.get(), SCMP_FLTATR_CTL_OPTIMIZE, 2));
  }

  void Always(std::uint32_t action, std::span<const int> calls) {
    for (const int call : calls) When(action, call, {});
  }
  void When(std::uint32_t action, int call, std::initializer_list<scmp_arg_cmp> terms) {
    if (failed_ != 0 || call == __NR_SCMP_ERROR) return;
    Fail(seccomp_rule_add_array(context_.get(), action, call, static_cast<unsigned>(terms.size()),
                                terms.begin()));
  }

  Result<std::vector<FilterInstruction>> Export(std::vector<FilterInstruction> prologue) {
    if (failed_ != 0) return ErrorFromErrno("seccomp_rule_add", -failed_);
    const UniqueFd file(::memfd_create("filter", MFD_CLOEXEC));
    if (!file.valid()) return ErrorFromErrno("memfd_create", errno);
    Fail(seccomp_export_bpf(context_.get(), file.get()));
    if (failed_ != 0) return ErrorFromErrno("seccomp_export_bpf", -failed_);
    const off_t size = ::lseek(file.get(), 0, SEEK_CUR);
    const std::size_t before = prologue.size();
    prologue.resize(before + static_cast<std::size_t>(size) / sizeof(FilterInstruction));
    if (size <= 0 ||
        ::pread(file.get(), &prologue[before], static_cast<std::size_t>(size), 0) != size) {
      return ErrorFromErrno("pread", errno != 0 ? errno : EIO);
    }
    return prologue;
  }

 private:
  void Fail(int result) {
    if (failed_ == 0 && result < 0) failed_ = result;
  }
  int failed_ = 0;
  std::unique_ptr<void, decltype(&seccomp_release)> context_;
};

scmp_arg_cmp Has(unsigned argument, std::uint64_t bits) {
  return {argument, SCMP_CMP_MASKED_EQ, bits, bits};
}
scmp_arg_cmp Is(unsigned argument, std::uint64_t value) {
  return {argument, SCMP_CMP_MASKED_EQ, kLow, value};
}

void ForbidNamespaces(Compiler& filter) {
  for (const std::uint64_t flag : {CLONE_NEWNS, CLONE_NEWCGROUP, CLONE_NEWUTS, CLONE_NEWIPC,
                                   CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET}) {
    filter.When(SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone), {Has(0, flag)});
    filter.When(SCMP_ACT_ERRNO(EPERM), SCMP_SYS(unshare), {Has(0, flag)});
  }
  // For clone the bit belongs to the signal at the end.
  filter.When(SCMP_ACT_ERRNO(EPERM), SCMP_SYS(unshare), {Has(0, kNewTime)});
}

void ForbidArguments(Compiler& filter) {
  const std::uint32_t refuse = SCMP_ACT_ERRNO(EPERM);
  // The kernel looks at the lower half of the request only. The last two change a file's
  // flags through a descriptor that may only read it.
  for (const std::uint64_t request :
       {0x5412UL /*TIOCSTI*/, 0x541CUL /*TIOCLINUX*/, 0x5423UL /*TIOCSETD*/,
        0x40086602UL /*FS_IOC_SETFLAGS*/, 0x401C5820UL /*FS_IOC_FSSETXATTR*/}) {
    filter.When(refuse, SCMP_SYS(ioctl), {Is(1, request)});
  }
  // Only one listener can be on a process, and a lease could hold up whoever opens for it.
  filter.When(refuse, SCMP_SYS(seccomp), {Has(1, SECCOMP_FILTER_FLAG_NEW_LISTENER)});
  filter.When(refuse, SCMP_SYS(fcntl), {Is(1, F_SETLEASE)});
  // Answered as done, but not done: paths could no longer be read from its memory.
  filter.When(SCMP_ACT_ERRNO(0), SCMP_SYS(prctl), {Is(0, PR_SET_DUMPABLE), {1, SCMP_CMP_EQ, 0, 0}});
}

void ForbidSockets(Compiler& filter, const FilterTerms& terms) {
  const std::uint32_t refuse = SCMP_ACT_ERRNO(EAFNOSUPPORT);
  const bool local_only = terms.sockets == FilterTerms::Sockets::kLocalOnly;
  for (std::uint64_t family = AF_INET; family < AF_NETLINK; ++family) {
    const bool internet = family == AF_INET || family == AF_INET6;
    if (!internet || local_only) filter.When(refuse, SCMP_SYS(socket), {Is(0, family)});
  }
  filter.When(refuse, SCMP_SYS(socket), {{0, SCMP_CMP_GT, AF_NETLINK, 0}});
  filter.When(refuse, SCMP_SYS(socket), {Is(0, AF_NETLINK), {2, SCMP_CMP_NE, 0 /*route*/, 0}});
  if (terms.path_sockets == FilterTerms::PathSockets::kNot) return;
  for (const int call : {SCMP_SYS(socket), SCMP_SYS(socketpair)}) {
    // The kernel makes a datagram socket of SOCK_RAW.
    for (const int type : {SOCK_DGRAM, SOCK_RAW}) {
      filter.When(SCMP_ACT_ERRNO(EPERM), call,
                  {Is(0, AF_UNIX), {1, SCMP_CMP_MASKED_EQ, 0xf, static_cast<scmp_datum_t>(type)}});
    }
  }
}

// A reference (O_PATH) passes: it can be looked at and no more, whatever it refers to, and
// cannot be put into a process by somebody else. The flags are in a register, so nobody
// changes them meanwhile.
scmp_arg_cmp HasUnlessReference(unsigned argument, std::uint64_t bits) {
  return {argument, SCMP_CMP_MASKED_EQ, bits | O_PATH, bits};
}

void SuperviseOpening(Compiler& filter, int call, unsigned flags, bool all) {
  if (all) return filter.When(SCMP_ACT_NOTIFY, call, {HasUnlessReference(flags, 0)});
  // What is left over lists a directory.
  filter.When(SCMP_ACT_NOTIFY, call, {{flags, SCMP_CMP_MASKED_EQ, O_DIRECTORY | O_PATH, 0}});
  for (const int bits : {O_WRONLY, O_RDWR, O_CREAT, O_TRUNC}) {
    filter.When(SCMP_ACT_NOTIFY, call,
                {HasUnlessReference(flags, static_cast<std::uint64_t>(bits))});
  }
  filter.When(SCMP_ACT_NOTIFY, call, {HasUnlessReference(flags, kTemporaryBit)});
}

void SuperviseNames(Compiler& filter, const FilterTerms& terms) {
  filter.Always(SCMP_ACT_NOTIFY, kSupervised);
  const bool all = terms.directories == FilterTerms::Directories::kSupervised;
  SuperviseOpening(filter, SCMP_SYS(open), 1, all);
  SuperviseOpening(filter, SCMP_SYS(openat), 2, all);
}

// libseccomp compares an argument once in a rule, and these are three values that may be:
// so the question is asked before its program, which then goes on.
std::vector<FilterInstruction> PersonalityPrologue() {
  constexpr std::uint16_t kLoad = BPF_LD | BPF_W | BPF_ABS;
  constexpr std::uint16_t kEqual = BPF_JMP | BPF_JEQ | BPF_K;
  constexpr std::uint32_t kFirstLow =
      offsetof(seccomp_data, args) + (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? 0 : 4);
  return {{kLoad, 0, 0, offsetof(seccomp_data, nr)},
          {kEqual, 0, 5, SYS_personality},
          {kLoad, 0, 0, kFirstLow},
          {kEqual, 3, 0, 0},
          {kEqual, 2, 0, ADDR_NO_RANDOMIZE},
          {kEqual, 1, 0, 0xffffffff /*asks what it is*/},
          {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | EPERM}};
}

}  // namespace

Result<std::vector<FilterInstruction>> CompileFilter(const FilterTerms& terms) {
  Compiler filter;
  filter.Always(SCMP_ACT_ERRNO(EPERM), kForbidden);
  filter.Always(SCMP_ACT_ERRNO(ENOSYS), kAbsent);
  ForbidNamespaces(filter);
  ForbidArguments(filter);
  ForbidSockets(filter, terms);
  if (terms.reserving == FilterTerms::Reserving::kRefused) {
    // Giving blocks back is not reserving any.
    filter.When(SCMP_ACT_ERRNO(EOPNOTSUPP), SCMP_SYS(fallocate),
                {{1, SCMP_CMP_MASKED_EQ, FALLOC_FL_PUNCH_HOLE, 0}});
  }
  if (terms.names == FilterTerms::Names::kSupervised) SuperviseNames(filter, terms);
  if (terms.path_sockets == FilterTerms::PathSockets::kSupervised) {
    filter.When(SCMP_ACT_NOTIFY, SCMP_SYS(connect), {});
  }
  return filter.Export(PersonalityPrologue());
}

int InstallFilter(std::span<const FilterInstruction> filter, Listener listener) {
  // The kernel reads the instructions and changes nothing.
  sock_fprog program = {
      static_cast<unsigned short>(filter.size()),
      // NOLINTNEXTLINE(cppcoreguidelines-pro-type-*)
      reinterpret_cast<sock_filter*>(const_cast<FilterInstruction*>(filter.data()))};
  if (listener == Listener::kNone) {
    return ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0 ? 0 : -errno;
  }
  // Once received, a call is not broken off by a signal and done twice.
  constexpr unsigned long kPatient =
      SECCOMP_FILTER_FLAG_NEW_LISTENER | SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV;
  long fd = ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, kPatient, &program);
  if (fd < 0 && errno == EINVAL) {
    fd =
        ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
  }
  return fd < 0 ? -errno : static_cast<int>(fd);
}

}  // namespace cordon::platform
