// The menu that --dialect names.
#pragma once

#include <optional>
#include <string>

#include "cordon/result.h"
#include "tools/menu.h"

namespace cordon::cli {

// Unset: our own. Errors: kInvalidArguments, naming those there are.
Result<const tools::Menu*> FindMenu(const std::optional<std::string>& dialect);

}  // namespace cordon::cli
