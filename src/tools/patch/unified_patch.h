// Unified diffs, as diff -u and git write them.
#pragma once

#include "tools/flat_text.h"
#include "tools/patch/patch.h"

namespace cordon::tools {

// `text` outlives the patch. Lines before and between files that are none of a diff are
// passed over. A hunk must have the lines its header counts; a header without numbers,
// "@@ @@", goes as far as lines of a hunk do.
// A new file gets the line ends its lines have in the patch, unless its headers have the
// same: then they are the patch's own.
// Errors: kInvalidArguments: not well formed, names that contradict each other, a file
//   without changes; kUnsupported: binary patches, copies, links, submodules;
//   kLimitExceeded.
Result<Patch> ParseUnifiedPatch(const FlatText& text);

}  // namespace cordon::tools
