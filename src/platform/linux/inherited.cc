#include "platform/inherited.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdint>

#include "base/try.h"
#include "platform/file_io.h"
#include "platform/linux/error_from_errno.h"
#include "platform/unique_fd.h"

namespace cordon::platform {

Result<std::string> ReadWhole(int fd, std::size_t most) {
  struct stat file = {};
  if (::fstat(fd, &file) != 0) return ErrorFromErrno("fstat", errno);
  const auto size = static_cast<std::size_t>(file.st_size);
  if (size > most) return ErrorFromErrno("fstat", EFBIG);
  std::string content(size, '\0');
  std::size_t done = 0;
  while (done < size) {
    TRY_ASSIGN(const std::size_t count, ReadAt(fd, done, {content.data() + done, size - done}));
    if (count == 0) break;
    done += count;
  }
  content.resize(done);
  return content;
}

void CloseFrom(int first) { ::syscall(SYS_close_range, first, UINT_MAX, 0); }

Status FillStandardStreams() {
  for (int stream = 0; stream < 3; ++stream) {
    if (::fcntl(stream, F_GETFD) >= 0) continue;
    if (::open("/dev/null", O_RDWR) != stream) return ErrorFromErrno("open", errno);
  }
  return {};
}

Status SetStandardStreams(int in, int out, int err) {
  const UniqueFd empty(::open("/dev/null", O_RDWR | O_CLOEXEC));
  if (!empty.valid()) return ErrorFromErrno("open", errno);
  // Above all three, so that none is overwritten before it is copied.
  const auto copy = [&](int fd) {
    return UniqueFd(::fcntl(fd >= 0 ? fd : empty.get(), F_DUPFD_CLOEXEC, 3));
  };
  const std::array<UniqueFd, 3> copies = {copy(in), copy(out), copy(err)};
  for (int stream = 0; stream < 3; ++stream) {
    const int fd = copies.at(static_cast<std::size_t>(stream)).get();
    if (fd < 0 || ::dup2(fd, stream) < 0) return ErrorFromErrno("dup2", errno);
  }
  return {};
}

void IgnoreTerminalSignals() {
  for (const int number : {SIGINT, SIGQUIT, SIGHUP, SIGPIPE, SIGTSTP, SIGTTIN, SIGTTOU}) {
    ::signal(number, SIG_IGN);
  }
}

void IgnoreInterrupts() {
  for (const int number : {SIGINT, SIGQUIT}) ::signal(number, SIG_IGN);
}

void HoldBackSignals() {
  sigset_t all;
  ::sigfillset(&all);
  ::sigprocmask(SIG_SETMASK, &all, nullptr);
}

void ResetSignals() {
  // By the system call: the C library keeps two numbers for its threads and leaves them as they
  // are.
  constexpr std::size_t kMaskBytes = (NSIG - 1) / 8;
  const std::array<unsigned long, 4> by_default = {};
  for (int number = 1; number < NSIG; ++number) {
    ::syscall(SYS_rt_sigaction, number, by_default.data(), nullptr, kMaskBytes);
  }
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

}  // namespace cordon::platform
