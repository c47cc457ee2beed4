// Taking away a directory that somebody hostile has filled.
#pragma once

#include "cordon/result.h"

namespace cordon::provision {

// `name` in `parent`, with all that is below it; nothing that is not there is no error.
// Guarantees: no link is followed; depth costs memory and not descriptors; directories that
//   were shut are opened; nothing outside of it is touched, also when it changes meanwhile.
// Errors: kTimeout when it changes faster than it goes; those of the system.
Status RemoveTree(int parent, const char* name);

}  // namespace cordon::provision
