// The process inside of a sandbox that stays: draws the line around itself and then does what
// is asked of it. The first one of the PID namespace; waits for the orphans of all others.
#pragma once

#include "launch/inside.h"

namespace cordon::launch {

// The whole life of that process; its exit status.
int RunResident(InsideTerms terms);

}  // namespace cordon::launch
