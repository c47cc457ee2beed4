// Naming what is known, and what an unknown name was probably meant to be.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace cordon::policy {

// "a", "b", "c", quoted.
std::string Listed(std::span<const std::string_view> names);

// "; did you mean "x"?", or nothing if no known name is near.
std::string Suggestion(std::string_view found, std::span<const std::string_view> known);

}  // namespace cordon::policy
