// Sandboxes of this machine's own kernel: no daemon, no image, no root needed.
#pragma once

#include <memory>
#include <string>

#include "net/egress_proxy.h"
#include "provision/driver.h"

namespace cordon::provision {

struct LocalOptions {
  std::string directory;  // of all its sandboxes; absolute, made if it is missing
  std::string launcher;   // the absolute path of cordon-launch
  // What leaves a sandbox with `allow:`; may be empty.
  std::function<void(const SandboxId& id, const net::EgressRequest& request)> connected;
};

// Does not guarantee: exact limits on disks where no quota holds them (Facts says so); proxies of
//   `allow:` networks work only while the process lives that made or adopted the sandbox.
// Errors: as LocalHomes::Open.
Result<std::unique_ptr<Driver>> MakeLocalDriver(LocalOptions options);

}  // namespace cordon::provision
