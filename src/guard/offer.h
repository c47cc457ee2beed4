// Which directory a person may be offered to give away as a whole.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cordon/operation.h"

namespace cordon::guard {

// The directory `real_path` stands for: itself when it is a directory that is listed
// or looked at, else the one that holds it. None if that is "/", or one of `kept` (the
// configured places, homes, Cordon's own directories) or anything above one.
std::optional<std::string> OfferedDirectory(std::string_view real_path, Operation operation,
                                            const std::vector<std::string>& kept);

}  // namespace cordon::guard
