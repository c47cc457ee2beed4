// Arguments of --percent, which lets text name any bytes.
#pragma once

#include <string>
#include <string_view>

#include "cordon/result.h"

namespace cordon::cli {

// PercentDecode, with an error that says how to put it right. Errors: kInvalidArguments.
Result<std::string> PercentArgument(std::string_view text);

}  // namespace cordon::cli
