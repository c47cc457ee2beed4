// What a program behind the line is started with, whoever starts it.
#pragma once

#include <string>

#include "launch/setback.h"
#include "platform/resource_limits.h"
#include "platform/start_program.h"
#include "sandbox/spec.h"

namespace cordon::launch {

// Of each of its processes, as far as such a limit can be told apart from others.
platform::ResourceLimits LimitsOfOne(const sandbox::Spec& spec, const sandbox::LayerSet& layers);

Setback SetbackOf(const platform::NotStarted& why, const sandbox::LayerSet& layers,
                  const std::string& program);

}  // namespace cordon::launch
