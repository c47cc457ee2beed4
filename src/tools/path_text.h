// Paths as texts tell them. Text only: nothing is looked up, no link is
// followed, so nothing is told that was not asked with.
#pragma once

#include <string>
#include <string_view>

#include "guard/boundary.h"

namespace cordon::tools {

// From the root of the host, without ".", ".." and doubled slashes.
std::string AbsoluteText(const guard::Boundary& boundary, std::string_view asked);

// Whether the text alone leads to no configured directory.
bool LeadsOut(const guard::Boundary& boundary, std::string_view asked);

// Every directory that was configured, separated so.
std::string RootsText(const guard::Boundary& boundary, std::string_view separator);

// "file:///a%20b"
std::string FileUrl(std::string_view absolute);

}  // namespace cordon::tools
