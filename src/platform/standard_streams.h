// The two streams on which a program is spoken to by the one that started it.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

#include "cordon/result.h"

namespace cordon::platform {

// Guarantees: what anything else in this process prints to the standard output goes to the
//   standard error instead, and what it reads from the standard input is empty: the two
//   streams belong to this object alone, and to no program that is started.
// Thread safety: one thread reads while another writes.
class StandardStreams {
 public:
  // Once, and not back. A write that nobody reads is an error from then on, not a signal.
  static Result<StandardStreams> Take();
  StandardStreams(StandardStreams&& other) noexcept;
  StandardStreams& operator=(StandardStreams&&) = delete;
  ~StandardStreams();

  // Waits for some. 0: the end.
  Result<std::size_t> Read(std::span<char> buffer) const;
  // Whether Read would not wait.
  bool HasInput() const;
  // All of it. Errors: kIoError.
  Status Write(std::string_view bytes) const;

 private:
  struct Held;
  explicit StandardStreams(std::unique_ptr<Held> held);
  std::unique_ptr<Held> held_;
};

}  // namespace cordon::platform
