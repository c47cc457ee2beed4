// Another process that never lets a path hold still.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

namespace cordon::testing {

// One pair of names that the attacker works on, absolute.
struct Contested {
  bool swap = true;  // exchanges the two; else moves the first to the second and back
  std::string first, second;
};

// A forked child that swaps or moves in a tight loop.
//
// Guarantees: it is killed by its id and waited for at the end; if this process
//   dies first, so does the child; it ends by itself after two minutes at most.
class Attacker {
 public:
  explicit Attacker(std::vector<Contested> contested);
  Attacker(const Attacker&) = delete;
  Attacker& operator=(const Attacker&) = delete;
  ~Attacker();

  // How often the child has changed something so far.
  unsigned long changes() const;
  // Stops it after a whole round, so that every name is back where it was.
  void Stop();

 private:
  std::vector<Contested> contested_;
  pid_t child_ = -1;
  struct Shared;
  Shared* shared_ = nullptr;
};

}  // namespace cordon::testing
