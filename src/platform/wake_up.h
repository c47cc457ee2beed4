// One descriptor to wait on: for another one, and for a clock that runs while it is needed.
#pragma once

#include <chrono>

#include "cordon/result.h"
#include "platform/unique_fd.h"

namespace cordon::platform {

class WakeUp {
 public:
  static Result<WakeUp> Watch(int descriptor);
  // Readable when the watched one is, or the clock struck.
  int descriptor() const { return both_.get(); }
  // Strikes every `interval`; 0 stops it.
  void SetClock(std::chrono::milliseconds interval);
  // Whether it struck since it was last asked.
  bool Struck();

 private:
  WakeUp(UniqueFd both, UniqueFd clock) : both_(std::move(both)), clock_(std::move(clock)) {}
  UniqueFd both_, clock_;
};

}  // namespace cordon::platform
