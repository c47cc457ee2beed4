// Listening for connections from this network namespace alone.
#pragma once

#include <cstdint>

#include "cordon/result.h"
#include "platform/unique_fd.h"

namespace cordon::platform {

struct LoopbackListener {
  UniqueFd socket;  // never blocks
  std::uint16_t port = 0;
};
// On 127.0.0.1, at a port the system chooses.
Result<LoopbackListener> ListenOnLoopback();

}  // namespace cordon::platform
