#include "platform/wait_events.h"

#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <vector>

#include "platform/linux/error_from_errno.h"

namespace cordon::platform {

void AwaitAny(std::span<Awaited> awaited, std::optional<std::chrono::milliseconds> time) {
  // Nearly always few: who supervises comes by here at every call.
  std::array<pollfd, 8> few;
  std::vector<pollfd> many(awaited.size() > few.size() ? awaited.size() : 0);
  const std::span<pollfd> polled =
      many.empty() ? std::span(few).first(awaited.size()) : std::span(many);
  std::ranges::transform(awaited, polled.begin(), [](const Awaited& one) {
    const auto events = static_cast<short>(one.what == Awaited::What::kInput ? POLLIN : 0);
    return pollfd{one.descriptor, events, 0};
  });
  const int found =
      ::poll(polled.data(), polled.size(), time ? static_cast<int>(time->count()) : -1);
  for (std::size_t i = 0; i < awaited.size(); ++i) {
    const int events = found > 0 ? polled[i].revents : 0;
    awaited[i].happened = events != 0;
    awaited[i].gone = (events & (POLLHUP | POLLERR | POLLNVAL)) != 0;
  }
}

Result<SignalSource> SignalSource::Open(Of of) {
  sigset_t set;
  ::sigemptyset(&set);
  ::sigaddset(&set, SIGCHLD);
  if (of == Of::kChildrenAndTermination) ::sigaddset(&set, SIGTERM);
  if (::sigprocmask(SIG_BLOCK, &set, nullptr) != 0) return ErrorFromErrno("sigprocmask", errno);
  UniqueFd signals(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
  if (!signals.valid()) return ErrorFromErrno("signalfd", errno);
  return SignalSource(std::move(signals));
}

SignalSource::Came SignalSource::Take() const {
  Came came;
  signalfd_siginfo info = {};
  while (::read(signals_.get(), &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
    came.child |= info.ssi_signo == SIGCHLD;
    came.terminate |= info.ssi_signo == SIGTERM;
  }
  return came;
}

}  // namespace cordon::platform
