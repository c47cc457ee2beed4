// What memory the machine has left.
#pragma once

#include <cstdint>

#include "cordon/result.h"

namespace cordon::platform {

// Bytes that programs could still be given without others being moved to disk; an estimate.
Result<std::uint64_t> AvailableMemory();

}  // namespace cordon::platform
