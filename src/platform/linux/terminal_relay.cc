#include "platform/terminal_relay.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "base/try.h"
#include "platform/linux/error_from_errno.h"

namespace cordon::platform {
namespace {

constexpr int kLookAtWindowEvery = 200;  // milliseconds

// Everything passes as it is, in both directions: the command's own terminal makes lines.
class WholeRaw {
 public:
  bool Enter() {
    if (tcgetattr(STDIN_FILENO, &before_) != 0) return false;
    termios raw = before_;
    cfmakeraw(&raw);
    entered_ = tcsetattr(STDIN_FILENO, TCSADRAIN, &raw) == 0;
    return entered_;
  }
  void Leave() {
    if (entered_) tcsetattr(STDIN_FILENO, TCSADRAIN, &before_);
    entered_ = false;
  }

 private:
  termios before_{};
  bool entered_ = false;
};

// False when it can take no more, ever.
bool WriteAll(int fd, const char* bytes, std::size_t size) {
  while (size > 0) {
    const ssize_t written = write(fd, bytes, size);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0 && errno == EAGAIN) {
      pollfd room{fd, POLLOUT, 0};
      poll(&room, 1, -1);
      continue;
    }
    if (written <= 0) return false;
    bytes += written;
    size -= static_cast<std::size_t>(written);
  }
  return true;
}

enum class Moved { kSome, kEnd };

Moved Move(int from, int to) {
  std::array<char, 16 * 1024> buffer;
  const ssize_t count = read(from, buffer.data(), buffer.size());
  if (count < 0 && (errno == EINTR || errno == EAGAIN)) return Moved::kSome;
  if (count <= 0) return Moved::kEnd;  // EIO: nobody has the command's end any more
  return WriteAll(to, buffer.data(), static_cast<std::size_t>(count)) ? Moved::kSome : Moved::kEnd;
}

}  // namespace

struct TerminalRelay::State {
  UniqueFd master, wake;
  WholeRaw raw;
  std::mutex mutex;
  std::condition_variable changed;
  bool pause_wanted = false;
  bool paused = false;
  bool ended = false;
  winsize size{};
  std::jthread thread;

  void FollowWindow() {
    winsize now{};
    if (ioctl(STDIN_FILENO, TIOCGWINSZ, &now) != 0) return;
    if (now.ws_col == size.ws_col && now.ws_row == size.ws_row) return;
    size = now;
    ioctl(master.get(), TIOCSWINSZ, &size);
  }

  // Waits out a pause. The terminal is cooked meanwhile.
  void TakePause() {
    std::unique_lock lock(mutex);
    if (!pause_wanted) return;
    raw.Leave();
    paused = true;
    changed.notify_all();
    changed.wait(lock, [this] { return !pause_wanted; });
    paused = false;
    raw.Enter();
  }

  void Relay() {
    bool keys = true;
    while (true) {
      eventfd_t woken = 0;
      eventfd_read(wake.get(), &woken);
      TakePause();
      FollowWindow();
      std::array<pollfd, 3> waited = {{{master.get(), POLLIN, 0},
                                       {wake.get(), POLLIN, 0},
                                       {keys ? STDIN_FILENO : -1, POLLIN, 0}}};
      if (poll(waited.data(), waited.size(), kLookAtWindowEvery) < 0 && errno != EINTR) break;
      if (waited[0].revents != 0 && Move(master.get(), STDOUT_FILENO) == Moved::kEnd) break;
      if (waited[2].revents != 0 && Move(STDIN_FILENO, master.get()) == Moved::kEnd) keys = false;
    }
    raw.Leave();
    const std::lock_guard lock(mutex);
    ended = true;
    changed.notify_all();
  }

  void Wake() const { eventfd_write(wake.get(), 1); }
};

bool StandardStreamsAreTerminals() {
  return isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 && isatty(STDERR_FILENO) == 1;
}

TerminalRelay::TerminalRelay(std::unique_ptr<State> state) : state_(std::move(state)) {}

Result<std::unique_ptr<TerminalRelay>> TerminalRelay::Start(UniqueFd other_end) {
  auto state = std::make_unique<State>();
  state->master = std::move(other_end);
  state->wake = UniqueFd(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!state->wake.valid()) return ErrorFromErrno("eventfd", errno);
  if (!state->raw.Enter()) return ErrorFromErrno("tcsetattr", errno);
  state->FollowWindow();
  State* const shared = state.get();
  state->thread = std::jthread([shared] { shared->Relay(); });
  return std::unique_ptr<TerminalRelay>(new TerminalRelay(std::move(state)));
}

// The command's end is closed by now, so the thread ends by itself.
TerminalRelay::~TerminalRelay() { Resume(); }

void TerminalRelay::Pause() {
  std::unique_lock lock(state_->mutex);
  state_->pause_wanted = true;
  state_->Wake();
  state_->changed.wait(lock, [this] { return state_->paused || state_->ended; });
}

void TerminalRelay::Resume() {
  const std::lock_guard lock(state_->mutex);
  state_->pause_wanted = false;
  state_->changed.notify_all();
}

}  // namespace cordon::platform
