#include "platform/become.h"

#include <unistd.h>

#include <cerrno>

#include "platform/linux/error_from_errno.h"

namespace cordon::platform {

Error Become(const std::string& program, char* const* arguments) {
  ::execv(program.c_str(), arguments);
  return ErrorFromErrno("execv", errno);
}

}  // namespace cordon::platform
