// A system whose disks Cordon cannot look at: no limit is claimed there.
#include "platform/disk_space.h"
#include "platform/project_quota.h"

namespace cordon::platform {
namespace {

Error Unsupported() {
  Error error;
  error.code = ErrorCode::kUnsupported;
  error.op = "platform";
  error.detail = "this operating system is not supported";
  return error;
}

}  // namespace

Result<Allocation> AllocationOf(int /*fd*/) { return Unsupported(); }
Result<Allocation> AllocationOfEntry(int /*directory*/, const char* /*name*/) {
  return Unsupported();
}
Result<DiskRoom> RoomOfDisk(int /*fd*/) { return Unsupported(); }

Status CheckProjectQuota(int /*directory*/) { return Unsupported(); }
Result<std::uint32_t> ProjectOf(int /*directory*/) { return Unsupported(); }
Status SetProject(int /*directory*/, std::uint32_t /*project*/) { return Unsupported(); }
Result<ProjectUse> UseOfProject(int /*directory*/, std::uint32_t /*project*/) {
  return Unsupported();
}
Status LimitProject(int /*directory*/, std::uint32_t /*project*/, std::uint64_t /*bytes*/,
                    std::uint64_t /*files*/) {
  return Unsupported();
}

}  // namespace cordon::platform
