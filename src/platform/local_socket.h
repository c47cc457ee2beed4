// Stream sockets as this tree wants them, and who is at the other end of a local one.
#pragma once

#include <cstdint>

#include "cordon/result.h"
#include "platform/unique_fd.h"

namespace cordon::platform {

// Without a name yet; never blocks, and no program that is started inherits it.
Result<UniqueFd> OpenLocalSocket();
enum class IpVersion { k4, k6 };
Result<UniqueFd> OpenTcpSocket(IpVersion version);

// The next connection that waits at `listener`, of the same kind. Errors: kTimeout when
// none does; those of the system.
Result<UniqueFd> AcceptConnection(int listener);

// The user who connected, or who listens, as the kernel knows it.
// Errors: those of the system; kUnsupported elsewhere.
Result<std::uint32_t> PeerUser(int socket);

// The user as whom this process acts.
Result<std::uint32_t> OwnUser();
Result<std::uint32_t> OwnProcess();

}  // namespace cordon::platform
