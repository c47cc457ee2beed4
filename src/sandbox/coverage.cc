// What each set of layers stops. Kept apart from the trying, so that it can be read as a table.
#include <array>

#include "sandbox/doctor.h"

namespace cordon::sandbox {
namespace {

constexpr std::array<std::string_view, 14> kNames = {
    "reading outside",    "changing outside",
    "denied names",       "changing read-only places",
    "other processes",    "abstract sockets",
    "sockets by path",    "network",
    "shared memory",      "privileges",
    "kernel surface",     "terminal injection",
    "outliving the line", "taking over the machine",
};

}  // namespace

std::string_view ThreatName(Threat threat) { return kNames.at(static_cast<std::size_t>(threat)); }

bool Covers(const LayerSet& layers, Threat threat) {
  const auto has = [&layers](Layer layer) { return layers.Has(layer); };
  // Without these two a command could take the other layers off again.
  const bool sealed = has(Layer::kNoNewPrivileges) && has(Layer::kCapabilities);
  const bool filtered = has(Layer::kSyscallFilter) && sealed;
  // A view of its own cannot be left where mounting is impossible.
  const bool own_view = has(Layer::kMountNamespace) && sealed;
  const bool supervised = has(Layer::kSupervisor) && filtered;
  switch (threat) {
    // Landlock leaves names to be seen, and streams that were given keep the mounts they
    // came from: a view alone leaves them open.
    case Threat::kReadOutside: return own_view && (has(Layer::kLandlock) || supervised);
    // Landlock knows nothing of modes, owners and times.
    case Threat::kChangeOutside: return supervised && (has(Layer::kLandlock) || own_view);
    // What is mounted stays read-only, but the directory above can be moved away.
    case Threat::kDeniedNames:
    case Threat::kChangeReadOnly: return supervised;
    // A namespace does not end at a process group, and Landlock knows nothing of limits.
    case Threat::kOtherProcesses:
      return has(Layer::kPidNamespace) && has(Layer::kLandlock) && sealed;
    case Threat::kAbstractSockets:
      return has(Layer::kLandlock) || (has(Layer::kNetworkNamespace) && sealed);
    case Threat::kPathSockets: return own_view || supervised;
    case Threat::kNetwork: return (has(Layer::kNetworkNamespace) && sealed) || filtered;
    case Threat::kSharedMemory: return has(Layer::kIpcNamespace) && own_view;
    case Threat::kPrivileges: return sealed;
    case Threat::kKernelSurface:
    case Threat::kTerminalInjection: return filtered;
    case Threat::kSurvival: return has(Layer::kPidNamespace) && sealed;
    // Else processes are counted now and then: no limit of the kernel's own holds for user 0,
    // whatever namespace it is in.
    case Threat::kTakeOverMachine: return sealed && has(Layer::kControlGroup);
  }
  return false;
}

}  // namespace cordon::sandbox
