// Namespaces: what a process sees as the whole machine.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <string>

#include "cordon/result.h"

namespace cordon::platform {

enum class Namespace { kUser, kMount, kPid, kIpc, kUts, kNetwork, kCgroup };
inline constexpr std::size_t kNamespaces = 7;
using NamespaceSet = std::bitset<kNamespaces>;  // indexed by Namespace

// Gives the user namespace of `process`, a child of ours, its users: each user we know
// under the number it has here, if we may; else ourselves alone.
Status MapUsers(std::int64_t process);

// Whether PID namespaces have a highest number of their own. Asked before one is set: on
// older kernels it is the whole machine's.
bool NamespacesBoundProcesses();
// `process_files`: a tree of NewProcessFiles. In its PID namespace there is room for `most`
// processes and threads, and for kNumbersSpared more at the utmost: the kernel gives the
// lowest numbers only once.
inline constexpr std::uint64_t kNumbersSpared = 302;
Status BoundProcesses(int process_files, std::uint64_t most);

// In the UTS namespace of this process.
Status SetHostName(const std::string& name);

// The lowest network interface, which leads back to this very namespace.
Status RaiseLoopback();

}  // namespace cordon::platform
