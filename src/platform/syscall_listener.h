// The other end of a supervised process: its calls as they come, and what they answer.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "cordon/result.h"
#include "platform/unique_fd.h"

namespace cordon::platform {

struct Notification {
  std::uint64_t id = 0;
  int thread = 0;  // as this process's PID namespace counts; 0: not in it
  int call = 0;
  std::array<std::uint64_t, 6> arguments{};
};

// Does not guarantee: that the process still waits; only Waits says so, for the moment.
// Thread safety: one thread receives; all may answer.
class SyscallListener {
 public:
  // Errors: kUnsupported where the kernel has no notifications of the size this knows.
  static Result<SyscallListener> Adopt(UniqueFd listener);

  int descriptor() const { return fd_.get(); }
  // To be called when the descriptor is readable: then it never blocks. Nothing when the
  // process went away meanwhile.
  std::optional<Notification> Receive() const;
  // Whether the process waits for the answer to `id`: then what was read of it is its own.
  bool Waits(std::uint64_t id) const;

  void Fail(std::uint64_t id, int os_errno) const;
  void Succeed(std::uint64_t id, std::int64_t value) const;
  enum class OnExec { kClose, kKeep };
  // Puts `fd` into the process, as the answer. Fails the call if that cannot be done.
  void Give(std::uint64_t id, int fd, OnExec on_exec) const;

 private:
  explicit SyscallListener(UniqueFd fd) : fd_(std::move(fd)) {}
  UniqueFd fd_;
};

}  // namespace cordon::platform
