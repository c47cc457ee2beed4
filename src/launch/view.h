// What a command sees as its file system: the granted places at the paths they have
// outside, private directories, and nothing else.
#pragma once

#include <string>
#include <vector>

#include "cordon/result.h"
#include "sandbox/spec.h"

namespace cordon::launch {

// /tmp, /dev/shm and the home directory, but those that are places themselves.
std::vector<std::string> PrivateDirectories(const sandbox::Spec& spec);

// Whether a PID namespace can hold a command to its number of processes, so that no control
// group is needed for that: coarsely, but without the milliseconds it takes the kernel to
// move a process into a group.
bool BoundByNamespace(const sandbox::Limits& limits);

// kOfNamespace: this process is the first one of a PID namespace and shows only that.
enum class ProcessView { kOfNamespace, kOfHost };

// Requires a mount namespace of this process's own. Afterwards nothing outside the view can
// be named. Errors: kUnsupported with "proc" in `component` when process files cannot be
// had; those of the system with the path in `component`. After an error the process must
// end: its view is half made.
Status BuildView(const sandbox::Spec& spec, ProcessView processes);

}  // namespace cordon::launch
