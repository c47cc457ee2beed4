// Which start of the machine this is.
#pragma once

#include <array>
#include <cstdint>

#include "cordon/result.h"

namespace cordon::platform {

// Differs after each start; the same for all processes until the next.
using BootId = std::array<std::uint8_t, 16>;
Result<BootId> CurrentBootId();

}  // namespace cordon::platform
