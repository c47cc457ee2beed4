// Names are bytes; JSON wants text. The lossless way between them.
#pragma once

#include <string>
#include <string_view>

#include "cordon/result.h"

namespace cordon {

// Every byte that is not part of valid UTF-8, every control byte, and "%" itself
// as "%XX". PercentDecode gives back exactly what went in.
std::string PercentEncode(std::string_view bytes);

// Errors: kInvalidArguments for a "%" that two hexadecimal digits do not follow; the
//   component is that place.
Result<std::string> PercentDecode(std::string_view text);

}  // namespace cordon
