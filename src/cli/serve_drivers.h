// The drivers that cordon serve can be told to use.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cordon/result.h"
#include "provision/driver.h"

namespace cordon::cli {

// `state`: the server's directory. Errors: kInvalidArguments for a name that is none;
// kUnsupported when a driver cannot work on this machine.
Result<std::vector<std::shared_ptr<provision::Driver>>> OpenDrivers(
    const std::vector<std::string>& names, const std::string& state);

}  // namespace cordon::cli
