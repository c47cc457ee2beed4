// The users of this machine.
#pragma once

#include <string>
#include <vector>

namespace cordon::platform {

// Where the users the system tells of live, and $HOME; absolute, in no order. At most
// ten thousand: directories of large sites are not read to their end.
std::vector<std::string> HomeDirectories();

}  // namespace cordon::platform
