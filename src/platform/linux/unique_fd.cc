#include "platform/unique_fd.h"

#include <unistd.h>

namespace cordon::platform {

void UniqueFd::reset(int fd) {
  // close is never retried: on Linux the descriptor is gone even after EINTR.
  if (fd_ >= 0) ::close(fd_);
  fd_ = fd;
}

}  // namespace cordon::platform
