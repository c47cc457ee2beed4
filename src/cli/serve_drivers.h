// The drivers that cordon serve can be told to use.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cordon/result.h"
#include "provision/driver.h"

namespace cordon::cli {

struct DriverChoices {
  std::vector<std::string> names;  // local, docker+runc, docker+runsc
  std::string docker_socket = "/var/run/docker.sock";
  std::string image;  // for the Docker ones; "": every request names its own
};

// `state`: the server's directory. Errors: kInvalidArguments for a name that is none;
// kUnsupported when a driver cannot work on this machine.
Result<std::vector<std::shared_ptr<provision::Driver>>> OpenDrivers(const DriverChoices& choices,
                                                                    const std::string& state);

}  // namespace cordon::cli
