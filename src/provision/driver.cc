#include "provision/driver.h"

namespace cordon::provision {

Result<std::unique_ptr<ToolStream>> Driver::Tools(const SandboxId& /*id*/) {
  Error error;
  error.code = ErrorCode::kUnsupported;
  error.op = "tools";
  error.detail = "The files of these sandboxes are reached from outside.";
  return error;
}

}  // namespace cordon::provision
