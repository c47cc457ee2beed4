// Paths as other agents' texts have them. Text only: nothing is looked up, no link is
// followed, so nothing is told that was not asked with.
#pragma once

#include <string>
#include <string_view>

#include "guard/boundary.h"

namespace cordon::tools::dialect {

// From the root of the host, without ".", ".." and doubled slashes.
std::string AbsoluteText(const guard::Boundary& boundary, std::string_view asked);

// Every directory that was configured, separated so.
std::string RootsText(const guard::Boundary& boundary, std::string_view separator);

// "file:///a%20b"
std::string FileUrl(std::string_view absolute);

}  // namespace cordon::tools::dialect
