// The process inside: draws the line around itself, starts the command, supervises it.
#pragma once

#include <optional>

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
  // The launcher is told here of a setback (setback.h); closed when the command runs.
  platform::UniqueFd launcher;
  const platform::ControlGroup* group = nullptr;  // that it is in after AwaitGroup
};

// How the process inside is ended when the launcher dies. With a PID namespace it can be
// killed outright, and the kernel ends the rest. Else it has to do that itself before it goes.
platform::EndSignal EndOf(const sandbox::LayerSet& layers);

// The first thing the process inside does: waits at `launcher`, a socket, for the layers to
// draw. None when the launcher has gone.
std::optional<sandbox::LayerSet> WaitToBegin(int launcher, platform::EndSignal with_launcher);
// And what the launcher says there.
Status TellToBegin(int inside, const sandbox::LayerSet& layers);

// It is moved into its control group while it draws its line: that takes the kernel long. Waits
// until that is done; nothing that is to be held by the group is started before. Errors: those
// of the socket, when the launcher has gone.
Status AwaitGroup(const InsideTerms& terms);
// And what the launcher says then.
Status TellOfGroup(int inside);

// What the filter must do where these layers hold.
platform::FilterTerms FilterFor(const sandbox::Spec& spec, const sandbox::LayerSet& layers);

// The whole life of that process from then on, which is the first one of its namespaces; its exit
// status.
int RunInside(InsideTerms terms);

}  // namespace cordon::launch
