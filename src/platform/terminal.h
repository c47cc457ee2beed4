// The controlling terminal of this process.
#pragma once

#include <chrono>
#include <cstddef>
#include <string_view>

#include "cordon/result.h"
#include "platform/unique_fd.h"

namespace cordon::platform {

// Errors: kNotFound when there is none; kUnsupported elsewhere.
Result<UniqueFd> OpenControllingTerminal();

// Whether this process may read from it without being stopped.
bool IsForeground(int terminal);

struct WindowSize {
  std::size_t columns = 80;
  std::size_t rows = 24;
};
WindowSize WindowSizeOf(int terminal);  // 80 by 24 where it is not known

// Keys one by one, not shown, none of them a signal; put back on destruction.
class RawMode {
 public:
  static Result<RawMode> Enter(int terminal);  // throws away what was typed before
  RawMode(RawMode&&) noexcept;
  RawMode& operator=(RawMode&&) = delete;
  ~RawMode();

 private:
  struct Saved;
  explicit RawMode(Saved* saved);
  Saved* saved_;
};

// Waits for one byte. kNone when `wait` is over.
enum class KeyState { kByte, kNone, kClosed };
struct Key {
  KeyState state = KeyState::kNone;
  char byte = 0;
};
Key ReadKey(int terminal, std::chrono::milliseconds wait);

}  // namespace cordon::platform
