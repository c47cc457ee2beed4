// The grants of a Spec as rules of the kernel.
#pragma once

#include "cordon/result.h"
#include "sandbox/spec.h"

namespace cordon::launch {

// From now on this process, and all it starts, can use what the places, the system's files
// and the private directories hold, and nothing else by a path.
Status RestrictPaths(const sandbox::Spec& spec, const sandbox::LayerSet& layers);

}  // namespace cordon::launch
