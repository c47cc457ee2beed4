// The directories above a file that is to be made.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tools/outcome.h"
#include "tools/tool.h"

namespace cordon::tools {

// The directory part of a path; empty when there is none.
std::string_view ParentOf(std::string_view path);
// The last component, without a slash behind it.
std::string_view NameOf(std::string_view path);

// Whether what failed may have happened all the same: where log or journal cannot be
// written, an act is refused before it or not recorded after it.
bool MayHaveBeenDone(const Error& error);

// Directories that a call has made for what comes into them. If that fails, they go
// again: a failed call leaves nothing behind.
// Does not guarantee: that they go when the system has no descriptors left to do it with.
class MadeParents {
 public:
  explicit MadeParents(Context& context) : context_(context) {}
  MadeParents(const MadeParents&) = delete;
  MadeParents& operator=(const MadeParents&) = delete;
  ~MadeParents();  // unless kept

  // Makes what is missing above `path`.
  Status Make(std::string_view path);
  void Keep() { made_.clear(); }
  const std::vector<std::string>& made() const { return made_; }

 private:
  Context& context_;
  std::vector<std::string> made_;  // from the outermost; the last may not be there
};

}  // namespace cordon::tools
