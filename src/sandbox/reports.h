// Hearing what is reported of a command, from its start to its end; for the files of this room.
#pragma once

#include <chrono>
#include <string>

#include "cordon/result.h"
#include "platform/passed_descriptors.h"
#include "sandbox/command.h"
#include "sandbox/message.h"

namespace cordon::sandbox {

Error LauncherError(std::string detail);
Error ErrorOf(const Failed& failed);

// The next message; waits for it. Errors: kIoError when the other end is gone.
Result<platform::Received> NextMessage(int socket);
// The same, for no longer than `most`. Errors: also kTimeout.
Result<platform::Received> NextMessageWithin(int socket, std::size_t bytes,
                                             std::chrono::milliseconds most);

// Tells the listener of all that is reported until the end.
Result<Ended> HearOut(int socket, Command::Listener& listener);

}  // namespace cordon::sandbox
