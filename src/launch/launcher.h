// The launcher's whole work: from the descriptors it was given to the end of the command.
#pragma once

namespace cordon::launch {

// kResident: nothing is started at first, and whoever started the launcher may go.
enum class Stay { kForOneCommand, kResident };

// Answers the exit status: 0 when Cordon was told how it went.
int Launch(Stay stay);

}  // namespace cordon::launch
