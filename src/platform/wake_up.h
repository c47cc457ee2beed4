// A clock to wait on that runs while it is needed.
#pragma once

#include <chrono>

#include "cordon/result.h"
#include "platform/unique_fd.h"

namespace cordon::platform {

class WakeUp {
 public:
  static Result<WakeUp> Make();
  // Readable when it struck.
  int descriptor() const { return clock_.get(); }
  // Strikes every `interval`; 0 stops it.
  void SetClock(std::chrono::milliseconds interval);
  // Whether it struck since it was last asked.
  bool Struck();

 private:
  explicit WakeUp(UniqueFd clock) : clock_(std::move(clock)) {}
  UniqueFd clock_;
};

}  // namespace cordon::platform
