// The files of a sandbox that can only be reached from inside, as a root.
#pragma once

#include "confine/root.h"
#include "provision/inside_channel.h"

namespace cordon::provision {

// Everything is done by `cordon-tools files` in there, under `options`, whose seen_as is what the
// directory is called there. What it answers is believed as far as it is about its own files, and
// held to the types and sizes of what was asked for.
// Guarantees: a change is sent once; if the way breaks meanwhile it is an error, not done again.
confine::Root RootInside(ToolStarter start, const confine::RootOptions& options);

}  // namespace cordon::provision
