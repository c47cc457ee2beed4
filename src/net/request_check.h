// What a head must be like beyond what the parser makes sure of.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "net/http_message.h"

namespace cordon::net {

struct HeadFault {
  std::uint16_t status;
  std::string_view why;
};

enum class HttpVersion { k10, k11 };

// Two readers of the same bytes must not disagree about where a request ends or whom it is
// for: one length, in digits; or chunked and nothing else; one Host.
std::optional<HeadFault> CheckHead(const HttpRequest& request, HttpVersion version);

}  // namespace cordon::net
