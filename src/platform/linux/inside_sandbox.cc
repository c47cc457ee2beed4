#include "platform/inside_sandbox.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/klog.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/statvfs.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>

#include "platform/inherited.h"
#include "platform/linux/error_from_errno.h"
#include "platform/pipe.h"

namespace cordon::platform {
namespace {

constexpr std::size_t kMaxProcFile = std::size_t{4} << 20;
constexpr int kReadAll = 3;  // SYSLOG_ACTION_READ_ALL

int TakeStreams(const ChildTerms& terms) {
  // So that programs started by it can be signalled together, and none takes a terminal of ours.
  if (::setsid() < 0) return errno;
  if (terms.terminal >= 0) {
    if (::ioctl(terms.terminal, TIOCSCTTY, 0) != 0) return errno;
    for (int stream = 0; stream < 3; ++stream) {
      if (::dup2(terms.terminal, stream) < 0) return errno;
    }
    return 0;
  }
  // None of ours is below 3: the streams are open already.
  const std::array<int, 3> from = {terms.input, terms.output, terms.errors};
  for (int stream = 0; stream < 3; ++stream) {
    if (::dup2(from.at(static_cast<std::size_t>(stream)), stream) < 0) return errno;
  }
  return 0;
}

[[noreturn]] void Become(const ChildTerms& terms, char* const* arguments, int told) {
  int failed = TakeStreams(terms);
  if (failed == 0 && ::chdir(terms.directory.c_str()) != 0) failed = errno;
  if (failed == 0) {
    ResetSignals();
    if (!terms.mark.empty()) ::putenv(const_cast<char*>(terms.mark.c_str()));
    ::execvp(arguments[0], arguments);
    failed = errno;
  }
  const ssize_t ignored = ::write(told, &failed, sizeof failed);
  ::_exit(ignored == 0 ? 126 : 127);
}

}  // namespace

Result<std::string> ReadProcFile(const std::string& path) {
  const UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
  if (!file.valid()) return ErrorFromErrno("open", errno);
  std::string text;
  std::array<char, 16384> piece = {};
  while (text.size() < kMaxProcFile) {
    const ssize_t count = ::read(file.get(), piece.data(), piece.size());
    if (count < 0) return ErrorFromErrno("read", errno);
    if (count == 0) break;
    text.append(piece.data(), static_cast<std::size_t>(count));
  }
  return text;
}

Result<int> StartChild(const ChildTerms& terms) {
  std::vector<char*> arguments;
  arguments.reserve(terms.arguments.size() + 1);
  for (const std::string& one : terms.arguments) {
    arguments.push_back(const_cast<char*>(one.c_str()));
  }
  arguments.push_back(nullptr);
  Result<Pipe> told = MakePipe();
  if (!told) return told.error();
  const pid_t process = ::fork();
  if (process < 0) return ErrorFromErrno("fork", errno);
  if (process == 0) Become(terms, arguments.data(), told->write.get());
  told->write.reset();
  int failed = 0;
  // Ends when the program runs: the pipe closes by itself then.
  if (::read(told->read.get(), &failed, sizeof failed) == sizeof failed) {
    return ErrorFromErrno("exec", failed);
  }
  return static_cast<int>(process);
}

Result<PseudoTerminal> OpenInnerTerminal() {
  if (Result<PseudoTerminal> terminal = OpenPseudoTerminal()) return terminal;
  PseudoTerminal terminal;
  terminal.master.reset(::open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC));
  if (!terminal.master.valid()) return ErrorFromErrno("open", errno);
  int value = 0;
  if (::ioctl(terminal.master.get(), TIOCSPTLCK, &value) != 0 ||
      ::ioctl(terminal.master.get(), TIOCGPTN, &value) != 0) {
    return ErrorFromErrno("ioctl", errno);
  }
  const std::string name = "/dev/pts/" + std::to_string(value);
  terminal.slave.reset(::open(name.c_str(), O_RDWR | O_NOCTTY | O_CLOEXEC));
  if (!terminal.slave.valid()) return ErrorFromErrno("open", errno);
  return terminal;
}

void SendKeySignals(int terminal, const std::string& keys, int otherwise) {
  termios mode = {};
  if (::tcgetattr(terminal, &mode) != 0 || (mode.c_lflag & ISIG) == 0) return;
  for (const char key : keys) {
    int signal = 0;
    if (key == static_cast<char>(mode.c_cc[VINTR])) signal = SIGINT;
    if (key == static_cast<char>(mode.c_cc[VQUIT])) signal = SIGQUIT;
    if (key == static_cast<char>(mode.c_cc[VSUSP])) signal = SIGTSTP;
    if (signal == 0 || key == '\0') continue;
    pid_t front = 0;
    if (::ioctl(terminal, TIOCGPGRP, &front) != 0 || front <= 1) front = otherwise;
    ::kill(-front, signal);
  }
}

Status SignalNumbered(std::int64_t process, int signal) {
  if (::kill(static_cast<pid_t>(process), signal) == 0) return {};
  Error error = ErrorFromErrno("kill", errno);
  if (errno == ESRCH) error.code = ErrorCode::kNotFound;
  return error;
}

void NeverBlock(int descriptor) {
  ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) | O_NONBLOCK);
}

void AwaitReady(std::vector<Readiness>& these, std::optional<std::int64_t> milliseconds) {
  std::vector<pollfd> polled;
  polled.reserve(these.size());
  for (const Readiness& one : these) {
    int events = 0;
    if (one.wanted == Readiness::For::kRead) events = POLLIN;
    if (one.wanted == Readiness::For::kWrite) events = POLLOUT;
    polled.push_back({one.descriptor, static_cast<short>(events), 0});
  }
  const int found =
      ::poll(polled.data(), polled.size(), milliseconds ? static_cast<int>(*milliseconds) : -1);
  for (std::size_t i = 0; i < these.size(); ++i) {
    these[i].ready = found > 0 && polled[i].revents != 0;
  }
}

Result<std::optional<std::string>> ReadNow(int descriptor, std::size_t at_most) {
  std::string bytes(at_most, '\0');
  const ssize_t count = ::read(descriptor, bytes.data(), bytes.size());
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return std::optional<std::string>();
  if (count < 0) return ErrorFromErrno("read", errno);
  bytes.resize(static_cast<std::size_t>(count));
  return std::optional<std::string>(std::move(bytes));
}

Result<std::size_t> WriteNow(int descriptor, const char* bytes, std::size_t size) {
  const ssize_t count = ::write(descriptor, bytes, size);
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return std::size_t{0};
  if (count < 0) return ErrorFromErrno("write", errno);
  return static_cast<std::size_t>(count);
}

void EndSending(int socket) { ::shutdown(socket, SHUT_WR); }

Confinement OwnConfinement() {
  Confinement found;
  found.user = ::geteuid();
  found.no_new_privileges = ::prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1;
  struct statvfs root = {};
  found.read_only_root = ::statvfs("/", &root) == 0 && (root.f_flag & ST_RDONLY) != 0;
  std::string log(std::size_t{64} << 10, '\0');
  const int count = ::klogctl(kReadAll, log.data(), static_cast<int>(log.size()));
  log.resize(count > 0 ? std::min<std::size_t>(static_cast<std::size_t>(count), 256) : 0);
  found.kernel_log = std::move(log);
  return found;
}

}  // namespace cordon::platform
