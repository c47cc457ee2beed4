#include "platform/wake_up.h"

#include <sys/timerfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

#include "platform/linux/error_from_errno.h"

namespace cordon::platform {

Result<WakeUp> WakeUp::Make() {
  UniqueFd clock(::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK));
  if (!clock.valid()) return ErrorFromErrno("timerfd_create", errno);
  return WakeUp(std::move(clock));
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
