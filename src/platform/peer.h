// Who is at the other end of a local socket, and who we are.
#pragma once

#include <cstdint>

#include "cordon/result.h"

namespace cordon::platform {

// The user who connected, or who listens, as the kernel knows it.
// Errors: those of the system; kUnsupported elsewhere.
Result<std::uint32_t> PeerUser(int socket);

// The user as whom this process acts.
Result<std::uint32_t> OwnUser();
Result<std::uint32_t> OwnProcess();

}  // namespace cordon::platform
