// The network of commands: rules from a flag, and the proxy that holds them.
#pragma once

#include <optional>
#include <string>

#include "cordon/result.h"
#include "guard/command.h"

namespace cordon::cli {

struct CommandNetwork {
  sandbox::Network network = sandbox::Network::kNone;
  guard::EgressStarter egress;  // set for an allow list
};

// `text`: none, full, or allow:HOST,...; unset: none. Errors: kInvalidArguments.
Result<CommandNetwork> ParseNetworkFlag(const std::optional<std::string>& text);

}  // namespace cordon::cli
