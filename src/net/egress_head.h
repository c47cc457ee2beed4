// Heads as the proxy passes them on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "net/egress_target.h"
#include "net/http_message.h"
#include "net/http_text.h"

namespace cordon::net {

// Fields that are for the next hop only, those that `Connection` names among them, are left
// out, and so is what tells of a body's length: that is said anew.
struct PassedRequest {
  std::string_view method;
  const ForwardTarget& target;
  const HttpFields& fields;
  Framing framing = Framing::kLength;
  std::optional<std::uint64_t> length = std::nullopt;  // nothing: no body
};
std::string RequestHead(const PassedRequest& request);

struct PassedReply {
  std::uint16_t status = 0;
  std::string_view reason;
  const HttpFields& fields;
  Framing framing = Framing::kLength;
  std::optional<std::uint64_t> length = std::nullopt;  // nothing: not said
  Afterwards afterwards = Afterwards::kClose;
};
std::string ReplyHead(const PassedReply& reply);

}  // namespace cordon::net
