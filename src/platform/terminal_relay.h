// Passes keys and output between this process's terminal and the other end of one that a
// command has for its own.
#pragma once

#include <memory>

#include "cordon/result.h"
#include "platform/unique_fd.h"

namespace cordon::platform {

// Whether standard input, output and error are all terminals.
bool StandardStreamsAreTerminals();

// Guarantees: every key goes to the command, signals' keys too; the window's size follows;
//   the terminal is put back as it was when it is paused and when this goes.
// Thread safety: all methods may run concurrently.
class TerminalRelay {
 public:
  // Relays from here on, in a thread of its own.
  static Result<std::unique_ptr<TerminalRelay>> Start(UniqueFd other_end);
  ~TerminalRelay();  // after all that the command has written is shown

  // While it is paused the terminal is somebody else's, and what the command writes waits.
  void Pause();
  void Resume();

 private:
  struct State;
  explicit TerminalRelay(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace cordon::platform
