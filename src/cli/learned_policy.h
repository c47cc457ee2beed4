// The narrowest policy that would have let a command pass, for a person to edit.
#pragma once

#include <string>
#include <string_view>

#include "guard/command.h"

namespace cordon::cli {

// TOML of a configuration file. What only widens by a person's own decision, writing
// outside and names a deny rule covers, stands there as a comment.
std::string LearnedPolicy(const guard::CommandOutcome& outcome, std::string_view workspace);

}  // namespace cordon::cli
