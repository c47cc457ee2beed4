#include "mcp/event_text.h"

#include <charconv>

namespace cordon::mcp {
namespace {

std::optional<std::uint64_t> Number(std::string_view text) {
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stopped, failed] = std::from_chars(text.data(), end, number);
  if (failed != std::errc() || stopped != end) return std::nullopt;
  return number;
}

}  // namespace

std::string EventIdText(const EventId& id) {
  return std::to_string(id.stream) + "-" + std::to_string(id.number);
}

std::optional<EventId> ParseEventId(std::string_view text) {
  const std::size_t dash = text.find('-');
  if (dash == std::string_view::npos) return std::nullopt;
  const auto stream = Number(text.substr(0, dash));
  const auto number = Number(text.substr(dash + 1));
  if (!stream || !number) return std::nullopt;
  return EventId{*stream, *number};
}

std::string EventText(std::string_view message) {
  std::string text = "event: message\ndata: ";
  text += message;
  text += "\n\n";
  return text;
}

std::string EventText(const EventId& id, std::string_view message) {
  std::string text = "id: ";
  text += EventIdText(id);
  text += '\n';
  text += EventText(message);
  return text;
}

std::string PrimingText(const EventId& id) { return "id: " + EventIdText(id) + "\ndata:\n\n"; }

net::HttpResponse StreamHead() {
  return {200,
          {{"Content-Type", "text/event-stream"},
           {"Cache-Control", "no-cache, no-transform"},
           {"X-Accel-Buffering", "no"}}};
}

}  // namespace cordon::mcp
