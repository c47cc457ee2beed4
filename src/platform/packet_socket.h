// Packet sockets that have a name in a directory; where that directory lies does not matter.
#pragma once

#include "cordon/result.h"
#include "platform/unique_fd.h"

namespace cordon::platform {

// Both sides' sockets wait when they send and receive; no program that is started inherits
// them. `directory`: open; `name`: one component.
// Errors: kAlreadyExists when something has that name.
Result<UniqueFd> ListenForPackets(int directory, const char* name);
// Errors: kNotFound when nobody listens there any more.
Result<UniqueFd> ConnectForPackets(int directory, const char* name);

// From now on who connects sees this process as the one that listens (PeerProcess).
Status TakeOverListener(int listener);
// The next connection that waits. Errors: kTimeout when none does.
Result<UniqueFd> AcceptPackets(int listener);
// The process that listens, or that connected.
Result<int> PeerProcess(int socket);

}  // namespace cordon::platform
