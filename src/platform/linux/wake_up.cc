#include "platform/wake_up.h"

#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

#include "platform/linux/error_from_errno.h"

namespace cordon::platform {

Result<WakeUp> WakeUp::Watch(int descriptor) {
  UniqueFd both(::epoll_create1(EPOLL_CLOEXEC));
  if (!both.valid()) return ErrorFromErrno("epoll_create1", errno);
  UniqueFd clock(::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK));
  if (!clock.valid()) return ErrorFromErrno("timerfd_create", errno);
  for (const int watched : {descriptor, clock.get()}) {
    epoll_event event = {};
    event.events = EPOLLIN;
    if (::epoll_ctl(both.get(), EPOLL_CTL_ADD, watched, &event) != 0) {
      return ErrorFromErrno("epoll_ctl", errno);
    }
  }
  return WakeUp(std::move(both), std::move(clock));
}

void WakeUp::SetClock(std::chrono::milliseconds interval) {
  itimerspec when = {};
  when.it_interval.tv_sec = interval.count() / 1000;
  when.it_interval.tv_nsec = interval.count() % 1000 * 1'000'000;
  when.it_value = when.it_interval;
  (void)::timerfd_settime(clock_.get(), 0, &when, nullptr);
}

bool WakeUp::Struck() {
  std::uint64_t times = 0;
  return ::read(clock_.get(), &times, sizeof times) == sizeof times;
}

}  // namespace cordon::platform
