// Asks on the terminal that controls this process.
#pragma once

#include <memory>

#include "consent/channel.h"

namespace cordon::consent {

// Keys: 1, 2, 3 answer; arrows move the mark, Enter takes it; Ctrl-C, Ctrl-D, Ctrl-\,
// Escape and a closed terminal deny. What was typed before the question appeared
// does not count. The terminal is put back as it was, whatever the answer.
// Not available: no terminal, or this process is not in its foreground.
std::shared_ptr<Channel> MakeTerminalChannel();

}  // namespace cordon::consent
