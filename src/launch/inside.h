// The process inside: draws the line around itself, starts the command, supervises it.
#pragma once

#include <span>

#include "launch/control.h"
#include "platform/control_group.h"
#include "platform/syscall_filter.h"
#include "platform/unique_fd.h"
#include "sandbox/spec.h"

namespace cordon::launch {

struct InsideTerms {
  const sandbox::Spec& spec;
  sandbox::LayerSet layers;  // whose namespaces are new already
  const Control& control;
  // The launcher says here when to begin, and is told of a setback (setback.h); closed when
  // the command runs.
  platform::UniqueFd launcher;
  const platform::ControlGroup* group = nullptr;  // that this process is in
  std::span<const platform::FilterInstruction> filter;
};

// What the filter must do where these layers hold.
platform::FilterTerms FilterFor(const sandbox::Spec& spec, const sandbox::LayerSet& layers);

// The whole life of that process, which is the first one of its namespaces; its exit status.
int RunInside(InsideTerms terms);

}  // namespace cordon::launch
