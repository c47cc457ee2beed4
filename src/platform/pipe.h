// Pipes, and the device that has nothing and takes everything.
#pragma once

#include "cordon/result.h"
#include "platform/unique_fd.h"

namespace cordon::platform {

// Both ends close on exec.
struct Pipe {
  UniqueFd read, write;
};
Result<Pipe> MakePipe();

Result<UniqueFd> OpenNullDevice();

// Another descriptor of the same; closes on exec.
Result<UniqueFd> Duplicate(int fd);

}  // namespace cordon::platform
