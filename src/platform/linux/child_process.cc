#include "platform/child_process.h"

#include <linux/sched.h>
#include <malloc.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <vector>

#include "platform/linux/error_from_errno.h"
#include "platform/process_list.h"

namespace cordon::platform {
namespace {

// In the order of Namespace.
constexpr std::array<std::uint64_t, kNamespaces> kCloneFlags = {
    CLONE_NEWUSER, CLONE_NEWNS,  CLONE_NEWPID,    CLONE_NEWIPC,
    CLONE_NEWUTS,  CLONE_NEWNET, CLONE_NEWCGROUP,
};

int NumberOf(EndSignal signal) { return signal == EndSignal::kKill ? SIGKILL : SIGTERM; }

Exit ExitOf(ProcessId process, int status) {
  Exit exit;
  exit.process = process;
  if (WIFSIGNALED(status))
    exit.signal = WTERMSIG(status);
  else
    exit.status = WEXITSTATUS(status);
  return exit;
}

}  // namespace

Result<Child> RunInCopy(const NamespaceSet& fresh, const std::function<int()>& work) {
  int watch = -1;
  clone_args arguments = {};
  arguments.flags = CLONE_PIDFD;
  for (std::size_t i = 0; i < kNamespaces; ++i) {
    if (fresh.test(i)) arguments.flags |= kCloneFlags[i];
  }
  arguments.pidfd = reinterpret_cast<std::uintptr_t>(&watch);
  arguments.exit_signal = SIGCHLD;
  const long process = ::syscall(SYS_clone3, &arguments, sizeof arguments);
  if (process < 0) return ErrorFromErrno("clone3", errno);
  if (process == 0) ExitAtOnce(work());
  Child child;
  child.process = process;
  child.watch.reset(watch);
  return child;
}

Result<Exit> WaitFor(ProcessId process) {
  int status = 0;
  while (::waitpid(static_cast<pid_t>(process), &status, 0) < 0) {
    if (errno != EINTR) return ErrorFromErrno("waitpid", errno);
  }
  return ExitOf(process, status);
}

Result<std::optional<Exit>> ReapNext() {
  int status = 0;
  const pid_t process = ::waitpid(-1, &status, WNOHANG | __WALL);
  if (process == 0) return std::optional<Exit>();
  if (process > 0) return std::optional<Exit>(ExitOf(process, status));
  Error error = ErrorFromErrno("waitpid", errno);
  if (errno == ECHILD) error.code = ErrorCode::kNotFound;
  return error;
}

void SignalProcess(ProcessId process, EndSignal signal) {
  ::kill(static_cast<pid_t>(process), NumberOf(signal));
}

void SignalNamespace(EndSignal signal) { ::kill(-1, NumberOf(signal)); }

void HoldNamespace(HoldSignal signal) {
  ::kill(-1, signal == HoldSignal::kStop ? SIGSTOP : SIGCONT);
}

std::optional<ProcessId> NextStopped() {
  siginfo_t info = {};
  if (::waitid(P_ALL, 0, &info, WSTOPPED | WNOHANG) != 0 || info.si_pid == 0) return std::nullopt;
  return info.si_pid;
}

Status SignalByNumber(ProcessId process, int number) {
  if (process <= 0 || number < 1 || number >= NSIG) {
    Error error = ErrorFromErrno("kill", EINVAL);
    error.code = ErrorCode::kInvalidArguments;
    return error;
  }
  if (::kill(static_cast<pid_t>(process), number) == 0) return {};
  Error error = ErrorFromErrno("kill", errno);
  if (errno == ESRCH) error.code = ErrorCode::kNotFound;
  return error;
}

std::size_t SignalDescendants(EndSignal signal) {
  const std::vector<ProcessId> all = Descendants();
  for (const ProcessId process : all) SignalProcess(process, signal);
  return all.size();
}

void EndDescendants() {
  for (;;) {
    Result<std::optional<Exit>> reaped = ReapNext();
    while (reaped && *reaped) reaped = ReapNext();
    if (!reaped) return;  // no children are left, so nobody else is either
    SignalDescendants(EndSignal::kKill);
    ::usleep(500);  // the killed need a moment to end
  }
}

Status AdoptOrphans() {
  if (::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0) return ErrorFromErrno("prctl", errno);
  return {};
}

Status DieWithParent(EndSignal signal) {
  if (::prctl(PR_SET_PDEATHSIG, NumberOf(signal), 0, 0, 0) != 0) {
    return ErrorFromErrno("prctl", errno);
  }
  return {};
}

Status SetTraceable(Traceable traceable) {
  if (::prctl(PR_SET_DUMPABLE, traceable == Traceable::kYes ? 1 : 0, 0, 0, 0) != 0) {
    return ErrorFromErrno("prctl", errno);
  }
  return {};
}

Status BeginSession() {
  if (::setsid() < 0) return ErrorFromErrno("setsid", errno);
  return {};
}

void GiveBackMemory() { ::malloc_trim(0); }

void ExitAtOnce(int status) { ::_exit(status); }

ChildUsage UsageOfEnded() {
  rusage usage = {};
  ::getrusage(RUSAGE_CHILDREN, &usage);
  const auto microseconds = [](const timeval& time) {
    return static_cast<std::uint64_t>(time.tv_sec) * 1000000 +
           static_cast<std::uint64_t>(time.tv_usec);
  };
  return {microseconds(usage.ru_utime) + microseconds(usage.ru_stime),
          static_cast<std::uint64_t>(usage.ru_maxrss) * 1024};
}

}  // namespace cordon::platform
