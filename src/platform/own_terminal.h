// The person's terminal, lent to a program that runs elsewhere.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "cordon/result.h"
#include "platform/terminal.h"

namespace cordon::platform {

// Guarantees: every key is told, signals' keys too, and output is shown as it is; a signal that
//   asks to end (termination, hang-up) is an event; the terminal is put back when this goes.
// Thread safety: Wait by one thread at a time, the rest by any.
class OwnTerminal {
 public:
  // Before there are threads, which must not take the signals.
  // Errors: kNotFound when standard input or output is no terminal; kUnsupported elsewhere.
  static Result<OwnTerminal> Take();
  OwnTerminal(OwnTerminal&&) noexcept;
  OwnTerminal& operator=(OwnTerminal&&) = delete;
  ~OwnTerminal();

  struct Event {
    enum class Kind { kKeys, kResized, kWoken, kClosed } kind = Kind::kClosed;
    std::string keys;  // of kKeys
  };
  Event Wait() const;
  // Wait gives kWoken, now or the next time.
  void Wake() const;
  WindowSize size() const;
  Status Show(std::string_view bytes) const;

 private:
  struct Held;
  explicit OwnTerminal(std::unique_ptr<Held> held);
  std::unique_ptr<Held> held_;
};

}  // namespace cordon::platform
