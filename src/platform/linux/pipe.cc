#include "platform/pipe.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "platform/linux/error_from_errno.h"

namespace cordon::platform {

Result<Pipe> MakePipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return ErrorFromErrno("pipe", errno);
  return Pipe{UniqueFd(ends[0]), UniqueFd(ends[1])};
}

Result<UniqueFd> OpenNullDevice() {
  UniqueFd device(open("/dev/null", O_RDWR | O_CLOEXEC));
  if (!device.valid()) return ErrorFromErrno("open", errno);
  return device;
}

Result<UniqueFd> Duplicate(int fd) {
  UniqueFd own(fcntl(fd, F_DUPFD_CLOEXEC, 0));
  if (!own.valid()) return ErrorFromErrno("dup", errno);
  return own;
}

}  // namespace cordon::platform
