// What was really made, as the store keeps it (store::Sandbox::facts).
#pragma once

#include <string>
#include <string_view>

#include "cordon/result.h"
#include "provision/driver.h"

namespace cordon::provision {

std::string EncodeFacts(const Facts& facts);  // JSON
// Errors: kInvalidArguments.
Result<Facts> DecodeFacts(std::string_view json);

}  // namespace cordon::provision
