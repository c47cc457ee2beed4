// Waiting for several things at once, in a program that has one thread.
#pragma once

#include <chrono>
#include <optional>
#include <span>

#include "cordon/result.h"
#include "platform/unique_fd.h"

namespace cordon::platform {

struct Awaited {
  // kHangUp: only that the other end is gone; messages are left for somebody else.
  enum class What { kInput, kHangUp };
  int descriptor = -1;  // negative: never happens
  What what = What::kInput;
  bool happened = false;  // set by AwaitAny
  bool gone = false;      // the other end is; set by AwaitAny
};
// Until one of them happens or the time is over.
void AwaitAny(std::span<Awaited> awaited, std::optional<std::chrono::milliseconds> time);

// Readable when a child has ended or, if asked for, when SIGTERM came; what is waited for is
// held back from now on.
class SignalSource {
 public:
  enum class Of { kChildren, kChildrenAndTermination };
  static Result<SignalSource> Open(Of of);
  int descriptor() const { return signals_.get(); }
  // What came since; nothing is waited for.
  struct Came {
    bool child = false;
    bool terminate = false;
  };
  Came Take() const;

 private:
  explicit SignalSource(UniqueFd signals) : signals_(std::move(signals)) {}
  UniqueFd signals_;
};

}  // namespace cordon::platform
