// A directory of a test's own, gone when the test is over.
#pragma once

#include <string>
#include <string_view>

#include "platform/unique_fd.h"

namespace cordon::testing {

// Guarantees: everything below is removed at the end, odd modes, deep trees and
//   mounts included; no link is ever followed on the way.
class Scratch {
 public:
  // Below `base`; by default TMPDIR or /tmp. Aborts the program if there is none.
  explicit Scratch(std::string_view base = {});
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch();

  const std::string& path() const { return path_; }
  std::string At(std::string_view below) const { return path_ + "/" + std::string(below); }
  int descriptor() const { return fd_.get(); }

 private:
  std::string path_;
  platform::UniqueFd fd_;
};

// Removes what is in `directory`, which itself stays.
void EmptyDirectory(int directory);

// Moves this process into a mount namespace of its own, once. Empty on success,
// else the reason why not.
std::string EnterMountNamespace();

}  // namespace cordon::testing
