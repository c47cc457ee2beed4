// What a process finds when it starts: the store says what should be, the drivers say what is.
#pragma once

#include "provision/common.h"
#include "provision/endings.h"

namespace cordon::provision {

// Afterwards, of every driver: what it has is in the store, and what is ready or paused there is
// alive and taken over. Requires that nothing else goes on yet.
// Errors: the store's; of a driver only that it cannot say what it has. What it cannot remove stays
//   marked, to be tried again.
Status Reconcile(Common& common, Endings& endings);

// Removes what a driver has and the store does not want. For the watch, too: a sandbox is in the
// store before anything of it exists and until all of it is gone.
void RemoveOrphan(Common& common, Driver& driver, const SandboxId& id);

}  // namespace cordon::provision
