// The users of this machine.
#pragma once

#include <string>
#include <vector>

#include "cordon/result.h"

namespace cordon::platform {

// Where the users the system tells of live, and $HOME; absolute, in no order. At most
// ten thousand: directories of large sites are not read to their end.
// Errors: a program without name services (name_services.h) finds no getent(1) to ask.
Result<std::vector<std::string>> HomeDirectories();

}  // namespace cordon::platform
