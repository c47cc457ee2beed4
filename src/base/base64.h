// Bytes as text, RFC 4648.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace cordon {

std::string Base64Encode(std::string_view bytes);
// With padding, without line breaks. Nothing if it is not that.
std::optional<std::string> Base64Decode(std::string_view text);

}  // namespace cordon
