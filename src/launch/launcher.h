// The launcher's whole work: from the descriptors it was given to the end of the command.
#pragma once

#include "sandbox/layer.h"

namespace cordon::launch {

// `expected`: the layers that the Spec will want, probably; none: nothing is made ahead.
// Answers the exit status: 0 when Cordon was told how it went.
int Launch(const sandbox::LayerSet& expected);

// For a sandbox that stays: nothing is started at first, and whoever started this may go.
int LaunchResident();

}  // namespace cordon::launch
