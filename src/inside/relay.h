// `cordon-tools connect`: this process's streams to a port inside, and back.
#pragma once

#include <cstdint>

namespace cordon::inside {

// The first byte of the answer: whether there is a stream.
inline constexpr char kConnected = '+', kNobodyListens = '-';

// Until both directions have ended; gives the exit status.
int RelayToPort(std::uint16_t port);

}  // namespace cordon::inside
