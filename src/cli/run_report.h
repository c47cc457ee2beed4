// What a person is told when a command has ended.
#pragma once

#include <string>

#include "guard/command.h"

namespace cordon::cli {

// One line for each refusal and limit; empty when there was none. Ends in a newline.
std::string FooterOf(const guard::CommandOutcome& outcome);

// The status a shell would give: 128 + signal when one ended it.
int ExitCodeOf(const sandbox::Ended& ended);

}  // namespace cordon::cli
