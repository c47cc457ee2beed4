// Another program in the place of this one.
#pragma once

#include <string>

#include "cordon/result.h"

namespace cordon::platform {

// With this process, its environment and what it may have open; `arguments` as main() has them.
// Returns only if it could not.
Error Become(const std::string& program, char* const* arguments);

}  // namespace cordon::platform
