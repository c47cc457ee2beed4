// Going through a whole tree by descriptor, holding one at a time, so that depth
// costs memory and not descriptors.
#pragma once

#include <functional>
#include <string>

#include "confine/root_state.h"
#include "platform/file_stat.h"
#include "platform/open.h"
#include "platform/unique_fd.h"

namespace cordon::confine {

struct TreeEntry {
  int directory;                   // holds the entry; valid during the call
  const std::string& name;         // bare
  const std::string& path;         // below the start of the traversal
  const platform::FileStat& stat;  // of the entry itself, link or not
};

struct TreeVisitor {
  // Before what is below; only directories are gone into.
  std::function<Result<WalkStep>(const TreeEntry&)> enter;
  // After everything below a directory; may be null. `stat` is from before.
  std::function<Status(const TreeEntry&)> leave;
};

// An error for an entry that a deny rule keeps from being removed with its parent;
// `base` is the true path of the traversal's start.
Result<WalkStep> RefuseHidden(const RootState& root, const std::string& base,
                              const TreeEntry& entry);

// What to do at a directory on another mount that may not be crossed.
enum class AtMount { kPassOver, kFail };

// Visits everything below `start`, depth first, in byte order. Links are entries,
// never ways. ".." is only believed when it leads back to where it came from.
// Errors: the visitor's; kLimitExceeded; kTimeout when a directory was moved
//   away while its content was visited.
Status TraverseTree(const RootState& root, platform::UniqueFd start, const WalkLimits& limits,
                    platform::MountCrossing mounts, AtMount at_mount, const TreeVisitor& visitor);

}  // namespace cordon::confine
