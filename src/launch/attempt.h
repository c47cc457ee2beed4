// One attempt at a line with certain layers, seen from outside.
#pragma once

#include <optional>

#include "launch/ahead.h"
#include "launch/control.h"
#include "launch/setback.h"
#include "sandbox/spec.h"

namespace cordon::launch {

// kResident: nothing is started at first, and whoever started the launcher may go.
enum class Stay { kForOneCommand, kResident };

struct Means {
  const Control& control;
  Ahead& ahead;  // taken if it will do
  Stay stay = Stay::kForOneCommand;
};

// Starts the process inside and waits for its end, or ends it and all it started when
// Cordon goes; a resident's Cordon may go once that is ready. A setback: nothing ran, and another
// attempt may be made.
std::optional<Setback> TryOnce(const sandbox::Spec& spec, const sandbox::LayerSet& layers,
                               const Means& means);

}  // namespace cordon::launch
