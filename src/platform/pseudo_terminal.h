// A terminal that a program here plays.
#pragma once

#include <cstdint>

#include "cordon/result.h"
#include "platform/unique_fd.h"

namespace cordon::platform {

struct PseudoTerminal {
  UniqueFd master;  // what the person sees and types
  UniqueFd slave;   // what the program has for its streams
};
// From /dev/ptmx as it is seen now.
Result<PseudoTerminal> OpenPseudoTerminal();

// Of either end. Errors: kIoError when it has gone.
Status SetTerminalSize(int terminal, std::uint16_t rows, std::uint16_t columns);

}  // namespace cordon::platform
