// One attempt at a line with certain layers, seen from outside.
#pragma once

#include <optional>

#include "launch/ahead.h"
#include "launch/control.h"
#include "launch/setback.h"
#include "sandbox/spec.h"

namespace cordon::launch {

// Starts the process inside and waits for its end, or ends it and all it started when
// Cordon goes. A setback: nothing ran, and another attempt may be made.
// `ahead`: taken if it will do.
std::optional<Setback> TryOnce(const sandbox::Spec& spec, const sandbox::LayerSet& layers,
                               const Control& control, Ahead& ahead);

}  // namespace cordon::launch
