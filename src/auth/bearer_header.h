// `Authorization: Bearer TOKEN`, RFC 6750.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cordon/result.h"

namespace cordon::auth {

// kPermissionDenied, and why.
Error Refused(std::string detail);

// Letters, digits and -._~+/, then any number of =.
bool IsToken(std::string_view text);

// Errors: Refused, if there is no header or it is not of this form.
Result<std::string_view> TokenOf(std::optional<std::string_view> header);

}  // namespace cordon::auth
