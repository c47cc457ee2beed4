// A secret on the disk, for its owner alone.
#pragma once

#include <string>
#include <string_view>

#include "cordon/result.h"

namespace cordon::auth {

// Writes `secret` and a line's end to a new file of mode 0600 in `directory`.
// Errors: kAlreadyExists; kPermissionDenied when others could take the file's place; kIoError.
Status WriteTokenFile(std::string_view directory, const std::string& name, std::string_view secret);

}  // namespace cordon::auth
