// Everything that a program has started, to the last orphan.
#pragma once

#include <cstddef>
#include <string>

namespace cordon::inside {

// Orphans come to this process where the system can do that. Elsewhere, as under gVisor, the
// program gets a variable that nobody else has, and is known by it with all it starts.
// Does not guarantee: that second way, for programs that clear their environment on purpose.
class ProcessTree {
 public:
  ProcessTree();
  // "NAME=value" for the program; "" for none.
  const std::string& mark() const { return mark_; }
  // How many there were.
  std::size_t Kill() const;

 private:
  std::string mark_;
};

}  // namespace cordon::inside
