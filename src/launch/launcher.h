// The launcher's whole work: from the descriptors it was given to the end of the command.
#pragma once

namespace cordon::launch {

// Answers the exit status: 0 when Cordon was told how it went.
int Launch();

}  // namespace cordon::launch
