#include "platform/syscall_filter.h"

#include <cerrno>

#include "platform/linux/error_from_errno.h"

namespace cordon::platform {

Result<std::vector<FilterInstruction>> CompileFilter(const FilterTerms& /*terms*/) {
  return ErrorFromErrno("seccomp", ENOSYS);
}

int InstallFilter(std::span<const FilterInstruction> /*filter*/, Listener /*listener*/) {
  return -ENOSYS;
}

}  // namespace cordon::platform
