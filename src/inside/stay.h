// `cordon-tools stay`: the first process of a sandbox, which lives as long as this does.
#pragma once

namespace cordon::inside {

// Takes in orphans and waits for ever. As the first process it is out of reach of signals from
// inside, for which it has no handlers, and its memory cannot be looked at.
int Stay();

}  // namespace cordon::inside
