// What the filter refuses by itself.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/syscall.h>

#include <chrono>
#include <cstddef>
#include <optional>

#include "platform/syscall_filter.h"
#include "tests/warden/behind_warden.h"

namespace cordon::warden_test {
namespace {

using ::testing::HasSubstr;

TEST(Filter, CompilesInNoTime) {
  using Clock = std::chrono::steady_clock;
  auto best = Clock::duration::max();
  std::size_t size = 0;
  for (int i = 0; i < 20; ++i) {
    const auto begin = Clock::now();
    const auto filter = platform::CompileFilter({});
    best = std::min(best, Clock::now() - begin);
    ASSERT_TRUE(filter);
    size = filter->size();
  }
  std::cout << size << " instructions in "
            << std::chrono::duration_cast<std::chrono::microseconds>(best).count() << " us\n";
  EXPECT_LT(size, 1000U);
  EXPECT_LT(best, std::chrono::milliseconds(10));
}

#ifdef __x86_64__
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#else
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#endif

bool Holds(std::uint16_t test, std::uint32_t value, std::uint32_t operand) {
  switch (BPF_OP(test)) {
    case BPF_JEQ: return value == operand;
    case BPF_JGE: return value >= operand;
    case BPF_JGT: return value > operand;
    default: return (value & operand) != 0;
  }
}

// As the kernel does when a filter is installed: the answer to a call whatever its arguments are;
// none if they are looked at.
std::optional<std::uint32_t> AnswerToAny(const std::vector<platform::FilterInstruction>& filter,
                                         std::uint32_t call) {
  std::uint32_t value = 0;
  for (std::size_t at = 0; at < filter.size();) {
    const auto& [code, jump_true, jump_false, operand] = filter[at++];
    if (BPF_CLASS(code) == BPF_RET) return operand;
    if (BPF_CLASS(code) == BPF_LD) {
      if (operand > offsetof(seccomp_data, arch)) return std::nullopt;
      value = operand == offsetof(seccomp_data, nr) ? call : kArchitecture;
    } else if (BPF_CLASS(code) == BPF_ALU) {
      value &= operand;
    } else if (BPF_OP(code) == BPF_JA) {
      at += operand;
    } else {
      at += Holds(code, value, operand) ? jump_true : jump_false;
    }
  }
  return std::nullopt;
}

// What is allowed whatever its arguments, the kernel allows without running the filter at all.
TEST(Filter, IsNotRunForTheMostFrequentCalls) {
  platform::FilterTerms terms;
  terms.names = platform::FilterTerms::Names::kSupervised;
  terms.directories = platform::FilterTerms::Directories::kSupervised;
  const auto filter = platform::CompileFilter(terms);
  ASSERT_TRUE(filter);
  for (const std::uint32_t call :
       {SYS_newfstatat, SYS_statx, SYS_fstat, SYS_read, SYS_write, SYS_pread64, SYS_lseek,
        SYS_close, SYS_getdents64, SYS_readlinkat, SYS_faccessat, SYS_futex, SYS_mmap, SYS_munmap,
        SYS_mprotect, SYS_brk, SYS_rt_sigprocmask, SYS_wait4, SYS_execve}) {
    EXPECT_EQ(AnswerToAny(*filter, call), SECCOMP_RET_ALLOW) << call;
  }
  EXPECT_EQ(AnswerToAny(*filter, SYS_openat), std::nullopt);
  EXPECT_EQ(AnswerToAny(*filter, SYS_unlinkat), SECCOMP_RET_USER_NOTIF);
}

// Calls by number, so that no library stands between.
TEST(Filter, RefusesWhatNoCommandNeeds) {
  const Workspace workspace;
  const Outcome outcome = RunScript(TermsFor(workspace.path()), R"(python3 - <<'END'
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
def call(*a):
    r = libc.syscall(*[ctypes.c_long(x) for x in a]); return ctypes.get_errno() if r == -1 else 'ok %d' % r
def expect(what, got, *wanted):
    if got not in wanted: print('WRONG', what, got)
for name, number in dict(ptrace=101, process_vm_readv=310, kcmp=312, pidfd_getfd=438, mount=165, umount2=166, pivot_root=155,
    chroot=161, open_tree=428, move_mount=429, fsopen=430, mount_setattr=442, setns=308, bpf=321, perf_event_open=298,
    userfaultfd=323, keyctl=250, add_key=248, open_by_handle_at=304, kexec_load=246, init_module=175, reboot=169,
    swapon=167, acct=163, iopl=172, syslog=103, settimeofday=164, fanotify_init=300, file_setattr=469).items():
    expect(name, call(number, 0, 0, 0, 0, 0, 0), 1)
for name, number in dict(clone3=435, io_uring_setup=425, io_uring_enter=426).items(): expect(name, call(number, 0, 0, 0), 38)
for bit in [0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000, 0x80]:
    expect('unshare %x' % bit, call(272, bit), 1)
    if bit != 0x80: expect('clone %x' % bit, call(56, bit | 17, 0, 0, 0, 0), 1)
expect('unshare files', call(272, 0x400), 'ok 0')
for request in [0x5412, 0x541c, 0x5423, 0x5412 | 1 << 32, 0x40086602]: expect('ioctl %x' % request, call(16, 0, request, 0), 1)
for value, wanted in [(0xffffffff, 'ok 0'), (0x40000, 'ok 0'), (0, 'ok %d' % 0x40000), (0x400000, 1), (0x80000000, 1), (8, 1)]:
    expect('personality %x' % value, call(135, value), wanted)
expect('dumpable', call(157, 4, 0), 'ok 0'); expect('still dumpable', call(157, 3), 'ok 1')
for family, wanted in [(1, 0), (2, 0), (10, 0), (16, 0), (17, 97), (38, 97), (40, 97), (3, 97), (15, 97), (29, 97)]:
    got = call(41, family, 1 if family != 16 else 3, 0)
    expect('socket %d' % family, 0 if str(got).startswith('ok') else got, wanted)
expect('netlink audit', call(41, 16, 3, 9), 97)
expect('second listener', call(317, 1, 8, 0), 1)
expect('lease', call(72, 0, 1024, 0), 1)
print('end')
END)");
  EXPECT_EQ(outcome.output, "end\n");
}

TEST(Filter, LeavesNoNetworkWhereOnlyLocalSocketsAreAllowed) {
  const Workspace workspace;
  Terms terms = TermsFor(workspace.path());
  terms.filter.sockets = platform::FilterTerms::Sockets::kLocalOnly;
  const Outcome outcome = RunScript(terms, R"x(python3 -c "
import socket
for f in [socket.AF_UNIX, socket.AF_INET, socket.AF_INET6]:
    try: socket.socket(f); print('ok')
    except OSError as e: print(e.errno)")x");
  EXPECT_EQ(outcome.output, "ok\n97\n97\n");
}

TEST(Filter, ReservesNothingWhereAFilesSizeIsLimited) {
  const Workspace workspace;
  Terms terms = TermsFor(workspace.path());
  terms.filter.reserving = platform::FilterTerms::Reserving::kRefused;
  // As it comes, behind the end of the file, by writing zeros; then a hole; then as the C library
  // has it.
  const Outcome outcome = RunScript(terms, R"x(python3 -c "
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
f = os.open('reserved', os.O_RDWR | os.O_CREAT)
for mode in [0, 1, 0x10, 3]:
    done = libc.fallocate(f, mode, ctypes.c_long(0), ctypes.c_long(1 << 20))
    print('ok' if done == 0 else ctypes.get_errno())
print(os.fstat(f).st_blocks)
os.posix_fallocate(f, 0, 8192)
print(os.fstat(f).st_size)")x");
  EXPECT_EQ(outcome.output, "95\n95\n95\nok\n0\n8192\n");
}

TEST(Filter, EndsProcessesOfForeignCalls) {
  const Workspace workspace;
  const Outcome outcome =
      RunScript(TermsFor(workspace.path()),
                "python3 -c \"import ctypes; ctypes.CDLL(None).syscall(0x40000000 + 39)\"");
  EXPECT_EQ(outcome.status, 128 + 31) << outcome.output;
}

}  // namespace
}  // namespace cordon::warden_test
