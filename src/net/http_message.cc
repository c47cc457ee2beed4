#include "net/http_message.h"

#include <algorithm>

#include "net/ascii.h"

namespace cordon::net {

void HttpFields::Add(std::string name, std::string value) {
  fields_.emplace_back(std::move(name), std::move(value));
}

std::optional<std::string_view> HttpFields::Find(std::string_view name) const {
  for (const auto& [own, value] : fields_) {
    if (SameIgnoringCase(own, name)) return TrimBlanks(value);
  }
  return std::nullopt;
}

std::size_t HttpFields::Count(std::string_view name) const {
  return static_cast<std::size_t>(
      std::count_if(fields_.begin(), fields_.end(),
                    [&](const auto& field) { return SameIgnoringCase(field.first, name); }));
}

}  // namespace cordon::net
