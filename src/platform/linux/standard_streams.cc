#include "platform/standard_streams.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <utility>

#include "platform/linux/error_from_errno.h"
#include "platform/unique_fd.h"

namespace cordon::platform {
namespace {

constexpr int kAboveStandard = 3;

Result<UniqueFd> Duplicate(int fd) {
  UniqueFd own(::fcntl(fd, F_DUPFD_CLOEXEC, kAboveStandard));
  if (!own.valid()) return ErrorFromErrno("fcntl", errno);
  return own;
}

// For streams that whoever started us has made non-blocking.
void AwaitReady(int fd, short events) {
  struct pollfd one {
    fd, events, 0
  };
  ::poll(&one, 1, -1);
}

bool MayTryAgain(int fd, short events) {
  if (errno == EINTR) return true;
  if (errno != EAGAIN) return false;
  AwaitReady(fd, events);
  return true;
}

}  // namespace

struct StandardStreams::Held {
  UniqueFd in, out;
};

Result<StandardStreams> StandardStreams::Take() {
  auto held = std::make_unique<Held>();
  auto in = Duplicate(STDIN_FILENO);
  if (!in) return std::move(in.error());
  auto out = Duplicate(STDOUT_FILENO);
  if (!out) return std::move(out.error());
  held->in = std::move(*in);
  held->out = std::move(*out);
  const UniqueFd nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
  if (!nothing.valid()) return ErrorFromErrno("open", errno);
  // Without a standard error there is nowhere for stray output to go.
  const bool heard = ::fcntl(STDERR_FILENO, F_GETFD) >= 0;
  if (::dup2(nothing.get(), STDIN_FILENO) < 0 ||
      ::dup2(heard ? STDERR_FILENO : nothing.get(), STDOUT_FILENO) < 0) {
    return ErrorFromErrno("dup2", errno);
  }
  if (std::signal(SIGPIPE, SIG_IGN) == SIG_ERR) return ErrorFromErrno("signal", errno);
  return StandardStreams(std::move(held));
}

StandardStreams::StandardStreams(std::unique_ptr<Held> held) : held_(std::move(held)) {}
StandardStreams::StandardStreams(StandardStreams&& other) noexcept = default;
StandardStreams::~StandardStreams() = default;

Result<std::size_t> StandardStreams::Read(std::span<char> buffer) const {
  while (true) {
    const ssize_t got = ::read(held_->in.get(), buffer.data(), buffer.size());
    if (got >= 0) return static_cast<std::size_t>(got);
    if (!MayTryAgain(held_->in.get(), POLLIN)) return ErrorFromErrno("read", errno);
  }
}

bool StandardStreams::HasInput() const {
  struct pollfd one {
    held_->in.get(), POLLIN, 0
  };
  return ::poll(&one, 1, 0) > 0;
}

Status StandardStreams::Write(std::string_view bytes) const {
  while (!bytes.empty()) {
    const ssize_t put = ::write(held_->out.get(), bytes.data(), bytes.size());
    if (put >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(put));
    } else if (!MayTryAgain(held_->out.get(), POLLOUT)) {
      return ErrorFromErrno("write", errno);
    }
  }
  return {};
}

}  // namespace cordon::platform
