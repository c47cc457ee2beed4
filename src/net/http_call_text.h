// A call's head as it goes over the wire.
#pragma once

#include <string>

#include "cordon/result.h"
#include "net/http_client.h"

namespace cordon::net {

// `protocol`: the one to change to; "" for none.
// Errors: kInvalidArguments when a part would end its line, or is none at all.
Result<std::string> HeadText(const HttpPeer& peer, const HttpCall& call,
                             const std::string& protocol);

}  // namespace cordon::net
