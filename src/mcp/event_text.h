// Server-sent events, as far as this protocol uses them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "net/http_message.h"

namespace cordon::mcp {

// Which message of which stream of a session; what a client resumes after.
struct EventId {
  std::uint64_t stream = 0;
  std::uint64_t number = 0;
};
std::string EventIdText(const EventId& id);  // "3-17"
std::optional<EventId> ParseEventId(std::string_view text);

// `message` is one line.
std::string EventText(std::string_view message);
std::string EventText(const EventId& id, std::string_view message);
// Tells an id, and nothing else.
std::string PrimingText(const EventId& id);
// Keeps those between us and the client from thinking that nobody is there.
inline constexpr std::string_view kStillHere = ":\n\n";

net::HttpResponse StreamHead();

}  // namespace cordon::mcp
