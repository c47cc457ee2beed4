// The ways to open a file that are measured against each other.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cordon/workspace.h"
#include "guard/boundary.h"
#include "guard/guard.h"

namespace cordon::bench {

// A file at a depth below a workspace directory, and everything opened to reach it.
class Stage {
 public:
  // Makes the tree below a new temporary directory. Ends the program on failure.
  Stage();
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;
  ~Stage();

  // "d/d/.../file" with `depth` components.
  static std::string Relative(int depth);
  std::string Absolute(int depth) const { return root_ + "/" + Relative(depth); }

  const guard::Boundary& boundary() const { return *boundary_; }
  const Workspace& workspace() const { return *workspace_; }
  // The same boundary behind a guard that records in a log of its own.
  guard::Guard& guard() const { return *guard_; }
  int descriptor() const { return descriptor_; }

 private:
  std::string root_;
  std::string state_;
  int descriptor_ = -1;
  std::unique_ptr<guard::Boundary> boundary_;
  std::unique_ptr<Workspace> workspace_;
  std::unique_ptr<guard::Guard> guard_;
};

struct Contender {
  std::string name;
  std::function<void()> once;  // ends the program if it does not succeed
};

// In the order in which they are reported; the first is what the others are
// measured by.
std::vector<Contender> ContendersAt(const Stage& stage, int depth);

}  // namespace cordon::bench
