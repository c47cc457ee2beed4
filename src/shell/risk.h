// How bad it would be.
#pragma once

#include "shell/explain.h"

namespace cordon::shell {

// Adds the reasons that follow from the files and the network, puts the gravest first, and
// sets the risk.
void Judge(Explanation& explanation);

}  // namespace cordon::shell
