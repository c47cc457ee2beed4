// Names for new sandboxes, which nobody can guess.
#pragma once

#include "base/sandbox_id.h"

namespace cordon::provision {

SandboxId NewSandboxId();

}  // namespace cordon::provision
