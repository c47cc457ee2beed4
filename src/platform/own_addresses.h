// The addresses under which this machine can be reached.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "cordon/result.h"
#include "platform/local_socket.h"

namespace cordon::platform {

struct OwnAddress {
  IpVersion version = IpVersion::k4;
  std::array<std::uint8_t, 16> bytes = {};  // in the order of the network; of version 4 the first 4
};

// Of every interface of this process's network namespace, at this moment.
// Errors: those of the system; kUnsupported elsewhere.
Result<std::vector<OwnAddress>> OwnAddresses();

}  // namespace cordon::platform
