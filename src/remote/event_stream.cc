#include "remote/event_stream.h"

#include <algorithm>

namespace cordon::remote {
namespace {

EventStream::Event Parsed(std::string_view block) {
  EventStream::Event event;
  bool first = true;
  while (!block.empty()) {
    const std::size_t end = std::min(block.find('\n'), block.size());
    const std::string_view line = block.substr(0, end);
    block.remove_prefix(std::min(end + 1, block.size()));
    const std::size_t colon = std::min(line.find(':'), line.size());
    const std::string_view field = line.substr(0, colon);
    std::string_view value = line.substr(std::min(colon + 1, line.size()));
    if (value.starts_with(' ')) value.remove_prefix(1);
    if (field == "event") event.name = value;
    if (field != "data") continue;
    if (!first) event.data += '\n';
    event.data += value;
    first = false;
  }
  return event;
}

bool HasData(std::string_view block) {
  return block.starts_with("data") || block.find("\ndata") != std::string_view::npos;
}

}  // namespace

std::optional<EventStream::Event> EventStream::Next() {
  while (true) {
    const std::size_t end = rest_.find("\n\n");
    if (end == std::string::npos) return std::nullopt;
    const std::string block = rest_.substr(0, end);
    rest_.erase(0, end + 2);
    if (HasData(block)) return Parsed(block);
  }
}

}  // namespace cordon::remote
