// For whom a request to the proxy is, read from its head.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "net/http_message.h"
#include "net/request_check.h"

namespace cordon::net {

struct Authority {
  std::string host;  // untrusted; IPv6 without its brackets
  std::optional<std::uint16_t> port;
};
// "host", "host:port", "[::1]:port". No user, no empty port.
std::optional<Authority> ParseAuthority(std::string_view text);

struct ForwardTarget {
  std::string authority;  // as it was written
  std::string host;
  std::uint16_t port = 80;
  std::string path;  // what the host is asked for: "/a?b"
};

// The whole head, before it is parsed: lines end with CRLF and nothing else does; no line
// continues another; no NUL.
std::optional<HeadFault> CheckLines(std::string_view head);

// Each with the Host field, if there is one, held against the target.
std::variant<Authority, HeadFault> ConnectTarget(std::string_view target, const HttpFields& fields);
std::variant<ForwardTarget, HeadFault> AbsoluteTarget(std::string_view target,
                                                      const HttpFields& fields);

}  // namespace cordon::net
