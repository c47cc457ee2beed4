// From a boundary to what the kernel is told.
#pragma once

#include <string>

#include "guard/boundary.h"
#include "guard/command.h"
#include "sandbox/spec.h"

namespace cordon::guard {

// Whether somebody can be asked while the command runs.
enum class Asking { kNobody, kSomebody };

// `directory`: absolute and real, inside the boundary.
sandbox::Spec SpecFor(const Boundary& boundary, const CommandSupport& support,
                      const CommandTerms& terms, std::string directory, Asking asking);

}  // namespace cordon::guard
