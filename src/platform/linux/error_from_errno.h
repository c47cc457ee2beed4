// errno to Error, in one place.
#pragma once

#include <string_view>

#include "cordon/error.h"

namespace cordon::platform {

// `op` must be static text: the system call's name.
Error ErrorFromErrno(std::string_view op, int os_errno);

}  // namespace cordon::platform
