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

// In the UTS namespace of this process.
Status SetHostName(const std::string& name);

// The lowest network interface, which leads back to this very namespace.
Status RaiseLoopback();

}  // namespace cordon::platform
