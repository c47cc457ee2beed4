#include "platform/own_terminal.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <utility>

#include "platform/file_io.h"
#include "platform/linux/error_from_errno.h"
#include "platform/unique_fd.h"

namespace cordon::platform {
namespace {

constexpr std::size_t kMostKeys = 4096;

sigset_t WatchedSignals() {
  sigset_t set;
  ::sigemptyset(&set);
  for (const int signal : {SIGTERM, SIGHUP, SIGWINCH}) ::sigaddset(&set, signal);
  return set;
}

}  // namespace

struct OwnTerminal::Held {
  UniqueFd signals, wake;
  termios before{};
  sigset_t mask{};
};

OwnTerminal::OwnTerminal(std::unique_ptr<Held> held) : held_(std::move(held)) {}
OwnTerminal::OwnTerminal(OwnTerminal&&) noexcept = default;

Result<OwnTerminal> OwnTerminal::Take() {
  auto held = std::make_unique<Held>();
  if (::isatty(STDIN_FILENO) != 1 || ::isatty(STDOUT_FILENO) != 1 ||
      ::tcgetattr(STDIN_FILENO, &held->before) != 0) {
    Error error;
    error.code = ErrorCode::kNotFound;
    error.op = "terminal";
    error.detail = "standard input and output are no terminal";
    return error;
  }
  const sigset_t watched = WatchedSignals();
  held->signals = UniqueFd(::signalfd(-1, &watched, SFD_CLOEXEC | SFD_NONBLOCK));
  held->wake = UniqueFd(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!held->signals.valid() || !held->wake.valid()) return ErrorFromErrno("signalfd", errno);
  if (::pthread_sigmask(SIG_BLOCK, &watched, &held->mask) != 0) {
    return ErrorFromErrno("pthread_sigmask", errno);
  }
  OwnTerminal terminal(std::move(held));
  termios raw = terminal.held_->before;
  ::cfmakeraw(&raw);
  if (::tcsetattr(STDIN_FILENO, TCSADRAIN, &raw) != 0) return ErrorFromErrno("tcsetattr", errno);
  return terminal;
}

OwnTerminal::~OwnTerminal() {
  if (!held_) return;
  ::tcsetattr(STDIN_FILENO, TCSADRAIN, &held_->before);
  ::pthread_sigmask(SIG_SETMASK, &held_->mask, nullptr);
}

OwnTerminal::Event OwnTerminal::Wait() const {
  while (true) {
    std::array<pollfd, 3> waited = {{{held_->wake.get(), POLLIN, 0},
                                     {held_->signals.get(), POLLIN, 0},
                                     {STDIN_FILENO, POLLIN, 0}}};
    if (::poll(waited.data(), waited.size(), -1) < 0) {
      if (errno == EINTR) continue;
      return {Event::Kind::kClosed, {}};
    }
    if (waited[0].revents != 0) {
      eventfd_t woken = 0;
      ::eventfd_read(held_->wake.get(), &woken);
      return {Event::Kind::kWoken, {}};
    }
    if (waited[1].revents != 0) {
      signalfd_siginfo came{};
      if (::read(held_->signals.get(), &came, sizeof came) != sizeof came) continue;
      const bool window = came.ssi_signo == SIGWINCH;
      return {window ? Event::Kind::kResized : Event::Kind::kClosed, {}};
    }
    Event event{Event::Kind::kKeys, std::string(kMostKeys, '\0')};
    const ssize_t count = ::read(STDIN_FILENO, event.keys.data(), event.keys.size());
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (count <= 0) return {Event::Kind::kClosed, {}};
    event.keys.resize(static_cast<std::size_t>(count));
    return event;
  }
}

void OwnTerminal::Wake() const { ::eventfd_write(held_->wake.get(), 1); }

WindowSize OwnTerminal::size() const { return WindowSizeOf(STDIN_FILENO); }

Status OwnTerminal::Show(std::string_view bytes) const { return WriteAll(STDOUT_FILENO, bytes); }

}  // namespace cordon::platform
