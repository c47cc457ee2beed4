#include "provision/driver.h"

namespace cordon::provision {

Result<std::unique_ptr<ToolStream>> Driver::Tools(const SandboxId& /*id*/) {
  Error error;
  error.code = ErrorCode::kUnsupported;
  error.op = "tools";
  error.detail = "The files of these sandboxes are reached from outside.";
  return error;
}

Status Driver::Room(const SandboxId& /*id*/, std::uint64_t /*bytes*/) { return {}; }

std::string_view DiskHoldName(DiskHold hold) {
  switch (hold) {
    case DiskHold::kNot: break;
    case DiskHold::kWatched: return "watched";
    case DiskHold::kQuota: return "quota";
  }
  return "not";
}

}  // namespace cordon::provision
