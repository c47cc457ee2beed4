// Messages over a local packet socket, with open descriptors beside the bytes.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cordon/result.h"
#include "platform/unique_fd.h"

namespace cordon::platform {

inline constexpr std::size_t kMostPassed = 4;

struct MessagePair {
  UniqueFd one, other;  // no program that is started inherits them
};
Result<MessagePair> MakeMessagePair();

// One message; waits for room. Errors: kIoError when the other end is gone.
Status SendMessage(int socket, std::string_view bytes, std::span<const int> descriptors);

struct Received {
  std::string bytes;  // empty: the other end is gone
  std::vector<UniqueFd> descriptors;
};
// One message; waits for it. Errors: kTooLarge when it has more than `most` bytes or more
// than kMostPassed descriptors: what was cut off cannot be had any more.
Result<Received> ReceiveMessage(int socket, std::size_t most);

}  // namespace cordon::platform
