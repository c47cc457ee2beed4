// Which system calls a command has: what no command needs is not there, and calls that name
// files are handed to whoever holds the listener.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cordon/result.h"

namespace cordon::platform {

struct FilterTerms {
  enum class Names { kSupervised, kUnsupervised };
  // Whether opening with O_DIRECTORY, to list and not to make anything, is supervised too.
  enum class Directories { kSupervised, kNot };
  enum class Sockets { kAll, kLocalOnly };
  // Supervised: connecting is, and sockets that can send to a path without connecting,
  // local datagram ones, cannot be made.
  enum class PathSockets { kSupervised, kNot };
  // Of blocks that nothing was written to: at once as many as there are, past every limit on a
  // file's size. Refused, callers write instead.
  enum class Reserving { kAllowed, kRefused };
  Names names = Names::kSupervised;
  Directories directories = Directories::kNot;
  Sockets sockets = Sockets::kAll;
  PathSockets path_sockets = PathSockets::kNot;
  Reserving reserving = Reserving::kAllowed;
};

// One instruction, as the kernel takes them.
struct FilterInstruction {
  std::uint16_t code = 0;
  std::uint8_t jump_true = 0;
  std::uint8_t jump_false = 0;
  std::uint32_t operand = 0;
};

// Guarantees: calls of a foreign architecture end the process; what is refused answers
//   EPERM, or what makes callers take another way (ENOSYS, EOPNOTSUPP); everything else passes, or
//   is supervised.
// Errors: kIoError, kUnsupported.
Result<std::vector<FilterInstruction>> CompileFilter(const FilterTerms& terms);

enum class Listener { kNone, kWanted };

// Puts the filter around this thread and all it starts; no_new_privs must be set. Allocates
// nothing, so that it may run between fork and exec. Answers the listener's descriptor
// (close-on-exec; 0 if none was wanted), or -errno.
int InstallFilter(std::span<const FilterInstruction> filter, Listener listener);

}  // namespace cordon::platform
