// Connections within this network namespace alone.
#pragma once

#include <chrono>
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

// A stream to whoever listens on 127.0.0.1, or else on ::1; it waits when it is used.
// Errors: kNotFound when nobody does; kTimeout when whoever does takes nobody for `wait`.
Result<UniqueFd> DialLoopback(std::uint16_t port, std::chrono::milliseconds wait);

}  // namespace cordon::platform
