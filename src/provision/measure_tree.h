// What a tree of an untrusted owner takes on its disk.
#pragma once

#include <cstdint>

#include "cordon/result.h"

namespace cordon::provision {

struct TreeUse {
  std::uint64_t bytes = 0;  // in blocks that files really have; each file once, whatever its names
  std::uint64_t files = 0;  // of any kind, directories included
};

// Everything below `directory`, and that itself; however deep. Ends after `most_files` and one
// more. Passes through no link and to no other file system. A directory that its owner has shut
// is opened to its owner, if need be.
// Does not guarantee: what is moved about meanwhile is counted, once; what has no name any more
//   is not.
// Errors: kTimeout when what is deeper than 200 directories does not stay where it is.
Result<TreeUse> MeasureTree(int directory, std::uint64_t most_files);

}  // namespace cordon::provision
