#include "platform/terminal.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <memory>

#include "platform/linux/error_from_errno.h"

namespace cordon::platform {
namespace {

// A process in the background that touches its terminal is stopped by a signal. While
// that signal is blocked the call works, or fails, instead. No handler is installed.
class NotStopped {
 public:
  NotStopped() {
    sigset_t stops;
    ::sigemptyset(&stops);
    ::sigaddset(&stops, SIGTTIN);
    ::sigaddset(&stops, SIGTTOU);
    ::pthread_sigmask(SIG_BLOCK, &stops, &before_);
  }
  ~NotStopped() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  NotStopped(const NotStopped&) = delete;
  NotStopped& operator=(const NotStopped&) = delete;

 private:
  sigset_t before_;
};

int Poll(int fd, short events, std::chrono::milliseconds wait) {
  pollfd waited = {fd, events, 0};
  int count;
  do {
    count = ::poll(&waited, 1, static_cast<int>(wait.count()));
  } while (count < 0 && errno == EINTR);
  return count;
}

}  // namespace

Result<UniqueFd> OpenControllingTerminal() {
  UniqueFd terminal(::open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK));
  if (!terminal.valid()) {
    Error error = ErrorFromErrno("open", errno);
    error.code = ErrorCode::kNotFound;
    error.detail = "this process has no controlling terminal";
    return error;
  }
  return terminal;
}

bool IsForeground(int terminal) {
  const pid_t group = ::tcgetpgrp(terminal);
  return group > 0 && group == ::getpgrp();
}

WindowSize WindowSizeOf(int terminal) {
  winsize size = {};
  WindowSize window;
  if (::ioctl(terminal, TIOCGWINSZ, &size) != 0) return window;
  if (size.ws_col > 0) window.columns = size.ws_col;
  if (size.ws_row > 0) window.rows = size.ws_row;
  return window;
}

struct RawMode::Saved {
  int terminal;
  termios attributes;
};

RawMode::RawMode(Saved* saved) : saved_(saved) {}
RawMode::RawMode(RawMode&& other) noexcept : saved_(std::exchange(other.saved_, nullptr)) {}

Result<RawMode> RawMode::Enter(int terminal) {
  auto saved = std::make_unique<Saved>(Saved{terminal, {}});
  if (::tcgetattr(terminal, &saved->attributes) != 0) return ErrorFromErrno("tcgetattr", errno);
  termios raw = saved->attributes;
  // What is written is left alone: others may be writing to the terminal, too.
  raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO | ECHONL | ISIG | IEXTEN);
  raw.c_iflag &= ~static_cast<tcflag_t>(IXON | ICRNL | INLCR | IGNCR | ISTRIP);
  raw.c_cc[VMIN] = 1;
  raw.c_cc[VTIME] = 0;
  const NotStopped not_stopped;
  // Not TCSAFLUSH: that waits until a terminal that may be stuck has shown everything.
  if (::tcsetattr(terminal, TCSANOW, &raw) != 0) return ErrorFromErrno("tcsetattr", errno);
  RawMode mode(saved.release());
  const Status discarded = DiscardTyped(terminal);
  if (!discarded) return discarded.error();
  return mode;
}

RawMode::~RawMode() {
  if (saved_ == nullptr) return;
  const std::unique_ptr<Saved> saved(saved_);
  const NotStopped not_stopped;
  ::tcsetattr(saved->terminal, TCSANOW, &saved->attributes);
}

Status DiscardTyped(int terminal) {
  const NotStopped not_stopped;
  if (::tcflush(terminal, TCIFLUSH) != 0) return ErrorFromErrno("tcflush", errno);
  return {};
}

Status WriteTerminal(int terminal, std::string_view bytes, std::chrono::milliseconds wait) {
  const NotStopped not_stopped;
  while (!bytes.empty()) {
    const ssize_t count = ::write(terminal, bytes.data(), bytes.size());
    if (count >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno == EAGAIN) {
      if (Poll(terminal, POLLOUT, wait) == 0) return ErrorFromErrno("write", EAGAIN);
    } else if (errno != EINTR) {
      return ErrorFromErrno("write", errno);
    }
  }
  return {};
}

Key ReadKey(int terminal, std::chrono::milliseconds wait) {
  const int ready = Poll(terminal, POLLIN, wait);
  if (ready == 0) return {};
  if (ready < 0) return {KeyState::kClosed, 0};
  const NotStopped not_stopped;
  Key key;
  ssize_t count;
  do {
    count = ::read(terminal, &key.byte, 1);
  } while (count < 0 && errno == EINTR);
  if (count == 1) {
    key.state = KeyState::kByte;
  } else if (count == 0 || errno != EAGAIN) {
    key.state = KeyState::kClosed;
  }
  return key;
}

}  // namespace cordon::platform
