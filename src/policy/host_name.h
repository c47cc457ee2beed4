// What may be the name of a host, before anybody is asked where it is.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "policy/ip_address.h"

namespace cordon::policy {

// A name in lower case without the final dot; an address; or why it is neither (static text).
using HostReading = std::variant<std::string, IpAddress, std::string_view>;

// Reads a host as a client or a configuration spells it; IPv6 without brackets.
// Names: letters, digits and hyphens in labels of 1 to 63, 253 together, one final dot.
// What some libraries would read as an address (0x7f.1, 2130706433, 017700000001, 127.1) is
// neither: its last label is a number, but it is not four plain decimals.
HostReading ReadHost(std::string_view untrusted);

}  // namespace cordon::policy
