#include "platform/standard_output.h"

#include <poll.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <memory>
#include <utility>

#include "platform/linux/error_from_errno.h"

namespace cordon::platform {
namespace {

sigset_t EndingSignals() {
  sigset_t set;
  ::sigemptyset(&set);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::sigaddset(&set, signal);
  return set;
}

OutputWatch::Outcome Poll(int signals, short of_output, int timeout) {
  std::array<struct pollfd, 2> watched{{{signals, POLLIN, 0}, {STDOUT_FILENO, of_output, 0}}};
  int ready = -1;
  do {
    ready = ::poll(watched.data(), watched.size(), timeout);
  } while (ready < 0 && errno == EINTR && timeout < 0);
  if (ready <= 0) return OutputWatch::Outcome::kGoOn;
  if (watched[0].revents != 0) return OutputWatch::Outcome::kAskedToEnd;
  return (watched[1].revents & ~POLLOUT) != 0 ? OutputWatch::Outcome::kNobodyReads
                                              : OutputWatch::Outcome::kGoOn;
}

}  // namespace

StandardOutput DescribeStandardOutput() {
  StandardOutput output;
  output.is_terminal = ::isatty(STDOUT_FILENO) == 1;
  struct winsize size {};
  if (output.is_terminal && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) {
    output.columns = size.ws_col;
  }
  return output;
}

bool StandardErrorIsTerminal() { return ::isatty(STDERR_FILENO) == 1; }

struct OutputWatch::Before {
  sigset_t mask;
};

Result<OutputWatch> OutputWatch::Begin() {
  const sigset_t ending = EndingSignals();
  UniqueFd signals(::signalfd(-1, &ending, SFD_CLOEXEC | SFD_NONBLOCK));
  if (!signals.valid()) return ErrorFromErrno("signalfd", errno);
  sigset_t blocked = ending;
  ::sigaddset(&blocked, SIGPIPE);
  auto before = std::make_unique<Before>();
  if (::sigprocmask(SIG_BLOCK, &blocked, &before->mask) != 0) {
    return ErrorFromErrno("sigprocmask", errno);
  }
  return OutputWatch(std::move(signals), before.release());
}

OutputWatch::OutputWatch(UniqueFd signals, Before* before)
    : signals_(std::move(signals)), before_(before) {}

OutputWatch::OutputWatch(OutputWatch&& other) noexcept
    : signals_(std::move(other.signals_)), before_(std::exchange(other.before_, nullptr)) {}

OutputWatch::~OutputWatch() {
  const std::unique_ptr<Before> before(before_);
  if (!before) return;
  // Those that came were obeyed: they must not end the program once more.
  sigset_t obeyed = EndingSignals();
  ::sigaddset(&obeyed, SIGPIPE);
  const struct timespec at_once {};
  while (::sigtimedwait(&obeyed, nullptr, &at_once) > 0) {
  }
  ::sigprocmask(SIG_SETMASK, &before->mask, nullptr);
}

OutputWatch::Outcome OutputWatch::Wait(std::chrono::milliseconds time) const {
  // No events asked of the output: only that it is broken is told then.
  return Poll(signals_.get(), 0, static_cast<int>(time.count()));
}

OutputWatch::Outcome OutputWatch::WaitForRoom() const { return Poll(signals_.get(), POLLOUT, -1); }

}  // namespace cordon::platform
