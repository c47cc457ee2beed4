// Sandboxes as containers of a Docker engine. Podman behind the same API is refused: see
// docker_isolation.h.
#pragma once

#include <memory>

#include "cordon/result.h"
#include "provision/docker_container.h"
#include "provision/driver.h"

namespace cordon::provision {

// One of each runtime; nothing is asked of the engine yet. Errors: those of the directory.
Result<std::unique_ptr<Driver>> MakeDockerDriver(const DockerSettings& settings);

}  // namespace cordon::provision
