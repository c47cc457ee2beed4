// Failures as the reference file server tells them: as Node.js names errors, with the
// path that was asked for. What it has no sentence for is told in ours.
#pragma once

#include <string>
#include <string_view>

#include "tools/dialect/table.h"

namespace cordon::tools::dialect {

std::string NodeFailure(const Failure& failure, const Scene& scene);

// For one path of several; empty if there is no sentence for the code.
std::string NodeSentence(ErrorCode code, std::string_view path, const Scene& scene);

// "NOT_FOUND" back to its code; kIoError if there is none of the name.
ErrorCode CodeNamed(std::string_view name);

}  // namespace cordon::tools::dialect
