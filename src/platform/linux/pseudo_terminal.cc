#include "platform/pseudo_terminal.h"

#include <fcntl.h>
#include <sys/ioctl.h>

#include <cerrno>

#include "platform/linux/error_from_errno.h"

namespace cordon::platform {

Result<PseudoTerminal> OpenPseudoTerminal() {
  PseudoTerminal terminal;
  terminal.master.reset(::open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC));
  if (!terminal.master.valid()) return ErrorFromErrno("open", errno);
  int locked = 0;
  if (::ioctl(terminal.master.get(), TIOCSPTLCK, &locked) != 0) {
    return ErrorFromErrno("ioctl", errno);
  }
  // By descriptor: its name may lie in another mount namespace.
  terminal.slave.reset(::ioctl(terminal.master.get(), TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC));
  if (!terminal.slave.valid()) return ErrorFromErrno("ioctl", errno);
  return terminal;
}

Status SetTerminalSize(int terminal, std::uint16_t rows, std::uint16_t columns) {
  winsize size = {};
  size.ws_row = rows;
  size.ws_col = columns;
  if (::ioctl(terminal, TIOCSWINSZ, &size) != 0) return ErrorFromErrno("ioctl", errno);
  return {};
}

}  // namespace cordon::platform
