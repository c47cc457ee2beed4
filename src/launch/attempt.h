// One attempt at a line with certain layers, seen from outside.
#pragma once

#include <optional>

#include "launch/control.h"
#include "launch/launcher.h"
#include "launch/setback.h"
#include "platform/namespaces.h"
#include "sandbox/spec.h"

namespace cordon::launch {

// The namespaces among `layers`.
platform::NamespaceSet NamespacesOf(const sandbox::LayerSet& layers);

// Starts the process inside and waits for its end, or ends it and all it started when
// Cordon goes; a resident's Cordon may go once that is ready. A setback: nothing ran, and another
// attempt may be made.
std::optional<Setback> TryOnce(const sandbox::Spec& spec, const sandbox::LayerSet& layers,
                               const Control& control, Stay stay);

}  // namespace cordon::launch
