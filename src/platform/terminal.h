// The controlling terminal of this process.
#pragma once

#include <chrono>
#include <cstddef>
#include <string_view>

#include "cordon/result.h"
#include "platform/unique_fd.h"

namespace cordon::platform {

// An opening of our own: reading and writing never block. Errors: kNotFound when
// there is none; kUnsupported elsewhere.
Result<UniqueFd> OpenControllingTerminal();

// Whether this process may read from it without being stopped.
bool IsForeground(int terminal);

struct WindowSize {
  std::size_t columns = 80;
  std::size_t rows = 24;
  bool operator==(const WindowSize&) const = default;
};
WindowSize WindowSizeOf(int terminal);  // 80 by 24 where it is not known

// Keys one by one, not shown, none of them a signal; put back on destruction, also
// when this process is in the background by then.
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

// Throws away what was typed and not read yet.
Status DiscardTyped(int terminal);

// Writes everything, however slowly the terminal takes it. Errors: kTimeout when it
// takes nothing for `wait`, kIoError when it is gone.
Status WriteTerminal(int terminal, std::string_view bytes, std::chrono::milliseconds wait);

// Waits for one byte, also of a pipe or a file. kNone when `wait` is over; kClosed at
// the end, when the terminal is gone, and when it may not be read from the background.
enum class KeyState { kByte, kNone, kClosed };
struct Key {
  KeyState state = KeyState::kNone;
  char byte = 0;
};
Key ReadKey(int terminal, std::chrono::milliseconds wait);

}  // namespace cordon::platform
