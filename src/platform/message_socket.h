// A pair of connected sockets on which whole messages travel, with descriptors.
#pragma once

#include <chrono>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cordon/result.h"
#include "platform/unique_fd.h"

namespace cordon::platform {

struct MessageSockets {
  UniqueFd first, second;
};
Result<MessageSockets> MakeMessageSockets();

struct Message {
  std::string bytes;
  std::vector<UniqueFd> descriptors;  // close on exec
};
inline constexpr std::size_t kMostDescriptors = 4;

// All of it or nothing; waits for room. Errors: kIoError, also when the other end is gone.
Status SendMessage(int socket, std::string_view bytes, std::span<const int> descriptors = {});

// Waits for the next one. Empty bytes: the other end is gone.
// Errors: kTooLarge beyond `limit` or with too many descriptors; kIoError.
Result<Message> ReceiveMessage(int socket, std::size_t limit);

}  // namespace cordon::platform
