// The shapes of what the API takes and gives, as JSON Schema (2020-12).
#pragma once

#include <string_view>

namespace cordon::serve {

// An object of schemas by name.
std::string_view SchemasText();

}  // namespace cordon::serve
