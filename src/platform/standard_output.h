// Where this program's output goes, and whether anyone still wants it.
#pragma once

#include <chrono>
#include <cstddef>

#include "cordon/result.h"
#include "platform/unique_fd.h"

namespace cordon::platform {

struct StandardOutput {
  bool is_terminal = false;
  std::size_t columns = 0;  // of the terminal; 0 where it is not known
};
StandardOutput DescribeStandardOutput();
bool StandardErrorIsTerminal();

// Waiting that ends when it should. While one lives, a signal that asks to end
// (interrupt, termination, hang-up) ends the wait and nothing else, and writing to
// an output that nobody reads is an error of that write and nothing else.
// Thread safety: for a program with one thread.
class OutputWatch {
 public:
  static Result<OutputWatch> Begin();
  OutputWatch(OutputWatch&&) noexcept;
  OutputWatch& operator=(OutputWatch&&) = delete;
  ~OutputWatch();

  enum class Outcome { kGoOn, kAskedToEnd, kNobodyReads };
  // kGoOn when the time is over.
  Outcome Wait(std::chrono::milliseconds time) const;
  // kGoOn when the output takes more: whoever writes without asking may be stuck, out
  // of reach of every signal but the last.
  Outcome WaitForRoom() const;

 private:
  struct Before;
  OutputWatch(UniqueFd signals, Before* before);
  UniqueFd signals_;
  Before* before_;  // owned; null when moved from
};

}  // namespace cordon::platform
