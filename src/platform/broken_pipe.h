// Streams and sockets whose other end may be gone.
#pragma once

#include <string_view>

#include "cordon/result.h"

namespace cordon::platform {

// Writes everything, to a pipe or a terminal. A reader that has gone is an error and never a
// signal. Errors: kIoError.
Status WriteWithoutSignal(int fd, std::string_view bytes);

// From now on no signal tells this thread of one: for libraries that write by themselves.
void HoldBackPipeSignals();

// No more is sent or received on a socket, by whichever descriptor or thread.
void ShutDownSocket(int socket);

}  // namespace cordon::platform
