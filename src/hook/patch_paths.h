// The files a patch in the form of apply_patch names.
#pragma once

#include <string_view>
#include <vector>

#include "hook/event.h"

namespace cordon::hook {

// Every line that could be a header counts, indented or not: rather one path too many.
std::vector<PathUse> PathsOfPatch(std::string_view untrusted);

// Whether a text holds such a patch at all; a shell command may.
bool HoldsPatch(std::string_view untrusted);

}  // namespace cordon::hook
