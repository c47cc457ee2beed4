// What there is to see of a sandbox that stays, by its first process.
#pragma once

#include <set>

#include "platform/child_process.h"
#include "platform/control_group.h"
#include "sandbox/resident_message.h"

namespace cordon::launch {

// What its control group knows. `group`: may be null.
sandbox::Seen Glimpse(const platform::ControlGroup* group);
// All there is, without the processes `own`, which are the sandbox's, in the list.
sandbox::Seen Survey(const std::set<platform::ProcessId>& own, const platform::ControlGroup* group);

}  // namespace cordon::launch
