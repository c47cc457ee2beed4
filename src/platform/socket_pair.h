// Two sockets joined to each other, and what is done with the like from several threads.
#pragma once

#include <cstddef>
#include <string_view>

#include "cordon/result.h"
#include "platform/unique_fd.h"

namespace cordon::platform {

struct SocketPair {
  UniqueFd one;    // never blocks
  UniqueFd other;  // blocks; both close on exec
};
Result<SocketPair> MakeSocketPair();

// As many bytes as there is room for, at once; a peer that has gone is an error and no signal.
Result<std::size_t> SendNow(int socket, std::string_view bytes);
// All of them, waiting. Errors: kTimeout when none was taken for `stall_ms`.
Status SendAll(int socket, std::string_view bytes, int stall_ms);
// Whoever reads or writes, here or there, gets to the end.
void HangUp(int socket);

}  // namespace cordon::platform
