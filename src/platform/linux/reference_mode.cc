#include "platform/reference_mode.h"

#include <sys/stat.h>

#include <cerrno>
#include <string>

#include "platform/linux/error_from_errno.h"

namespace cordon::platform {

Status SetModeOf(int reference, std::uint32_t mode) {
  const std::string name = "/proc/self/fd/" + std::to_string(reference);
  if (::chmod(name.c_str(), mode) != 0) return ErrorFromErrno("chmod", errno);
  return {};
}

}  // namespace cordon::platform
