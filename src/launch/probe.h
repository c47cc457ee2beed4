// Tries out each layer.
#pragma once

namespace cordon::launch {

// Writes a line per layer, in the order of sandbox::kAllLayers, to the standard output:
// "NAME yes|no DETAIL". Tries everything in processes that end at once.
int Probe();

}  // namespace cordon::launch
