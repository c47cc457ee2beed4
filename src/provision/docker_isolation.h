// What an engine has really made, by its own word and by what is seen inside. Engines pass over
// in silence what they do not know: Podman gives another runtime than the one asked for.
#pragma once

#include <boost/json.hpp>

#include "cordon/result.h"
#include "inside/look.h"
#include "provision/docker_container.h"
#include "provision/driver.h"

namespace cordon::provision {

// What a container's label says was asked for, by whoever made it.
// Errors: kSandboxRequired when it does not.
Result<ContainerPlan> PlanOfLabel(const boost::json::object& inspected, const SandboxId& id);

// The engine's word, before the sandbox is used. Errors: kSandboxRequired, with everything that
// is weaker than `plan`.
Status CheckEngineWord(const boost::json::object& inspected, const ContainerPlan& plan);

// With what was seen inside; nothing there may have run yet but our own program, or what it sees
// is only good for telling that something is wrong.
// Errors: kSandboxRequired.
Result<Facts> CheckInside(const boost::json::object& inspected, const inside::View& view,
                          const ContainerPlan& plan);

}  // namespace cordon::provision
