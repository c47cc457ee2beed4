// The other programs of ours.
#pragma once

#include <string>

#include "cordon/result.h"

namespace cordon::cli {

// By name: beside this program, or where it is installed. Errors: kNotFound.
Result<std::string> FindCompanion(const std::string& name);
Result<std::string> FindLauncher();

}  // namespace cordon::cli
