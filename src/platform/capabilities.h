// What a process may do beyond its user's files.
#pragma once

#include "cordon/result.h"

namespace cordon::platform {

// From now on no program that is started has more rights than who starts it.
Status ForbidNewPrivileges();

// None is held, none is inherited, and none can be regained, also by user 0.
// Requires ForbidNewPrivileges where this process may not change its bounding set.
Status DropCapabilities();

}  // namespace cordon::platform
