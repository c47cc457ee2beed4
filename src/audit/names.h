// Any bytes as text that needs no escaping, and back.
#pragma once

#include <string>
#include <string_view>

#include "cordon/result.h"

namespace cordon::audit {

// Names with odd bytes as text: what is not printable UTF-8, and `"`, `\` and `%`
// themselves, as %XX. DecodeName gives back exactly what went in.
void AppendEncoded(std::string& text, std::string_view bytes);
// Errors: kInvalidArguments for a `%` that two upper-case hexadecimal digits do not follow.
Result<std::string> DecodeName(std::string_view text);

}  // namespace cordon::audit
