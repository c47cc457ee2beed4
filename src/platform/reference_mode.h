// Modes by reference: for a directory that its owner has shut.
#pragma once

#include <cstdint>

#include "cordon/result.h"

namespace cordon::platform {

// The mode of what `reference` refers to (OpenIntent::kReference), which is no link.
Status SetModeOf(int reference, std::uint32_t mode);

}  // namespace cordon::platform
