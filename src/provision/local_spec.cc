#include "provision/local_spec.h"

#include <algorithm>
#include <cmath>

#include "provision/disk_hold.h"
#include "sandbox/doctor.h"
#include "sandbox/system_places.h"

namespace cordon::provision {
namespace {

using sandbox::Layer;
using sandbox::LayerSet;

constexpr const char* kWorkspace = "/workspace";
constexpr const char* kHome = "/home/agent";
constexpr std::uint64_t kMemory = 2ULL << 30U;
constexpr std::uint64_t kProcesses = 512;
constexpr std::uint64_t kPrivateSpace = 512ULL << 20U;
constexpr double kCpus = 2;
// Of one process. What the server itself may open is none of theirs.
constexpr std::uint64_t kOpenFiles = 16384;
constexpr double kThousandths = 1000;

LayerSet Required(sandbox::Network network) {
  LayerSet layers = {Layer::kSyscallFilter,   Layer::kSupervisor,   Layer::kUserNamespace,
                     Layer::kMountNamespace,  Layer::kPidNamespace, Layer::kIpcNamespace,
                     Layer::kNoNewPrivileges, Layer::kCapabilities};
  if (network != sandbox::Network::kFull) layers.Add(Layer::kNetworkNamespace);
  return layers;
}

sandbox::Network NetworkOf(policy::NetworkMode mode) {
  switch (mode) {
    case policy::NetworkMode::kNone: return sandbox::Network::kNone;
    case policy::NetworkMode::kAllowList: return sandbox::Network::kProxied;
    case policy::NetworkMode::kFull: return sandbox::Network::kFull;
  }
  return sandbox::Network::kNone;
}

sandbox::Limits LimitsOf(const Resources& resources) {
  sandbox::Limits limits;
  limits.memory = resources.memory != 0 ? resources.memory : kMemory;
  limits.processes = resources.processes != 0 ? resources.processes : kProcesses;
  limits.processors = static_cast<std::uint64_t>(
      std::ceil((resources.cpus > 0 ? resources.cpus : kCpus) * kThousandths));
  limits.open_files = kOpenFiles;
  // What is written to one file ends at the limit for all, however fast.
  limits.file_size = DiskOf(resources);
  limits.private_space = std::min(kPrivateSpace, limits.memory);
  return limits;
}

}  // namespace

sandbox::Spec LocalSpec(const Terms& terms, const policy::NetworkRules& network,
                        const std::string& workspace, const std::string& hidden) {
  sandbox::Spec spec;
  spec.environment = {"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
                      std::string("HOME=") + kHome, "USER=agent", "LANG=C.UTF-8", "TMPDIR=/tmp"};
  for (const std::string& variable : terms.environment) {
    const std::string name = variable.substr(0, variable.find('=') + 1);
    std::erase_if(spec.environment,
                  [&name](const std::string& earlier) { return earlier.starts_with(name); });
    spec.environment.push_back(variable);
  }
  spec.directory = kWorkspace;
  spec.places = {{workspace, sandbox::Place::Access::kReadWrite, kWorkspace}};
  spec.system = sandbox::SystemPlaces("", "");
  spec.home = kHome;
  spec.hidden = sandbox::SystemSecrets();
  spec.hidden.push_back(hidden);
  // The workspace is the sandbox's own: nobody outside runs what stands in it.
  spec.git = sandbox::GitRules::kNone;
  spec.network = NetworkOf(network.mode());
  spec.limits = LimitsOf(terms.resources);
  spec.required = Required(spec.network);
  return spec;
}

Isolation IsolationOf(const LayerSet& layers) {
  using sandbox::Threat;
  for (const Threat threat : {Threat::kReadOutside, Threat::kChangeOutside, Threat::kOtherProcesses,
                              Threat::kPrivileges, Threat::kKernelSurface, Threat::kSurvival}) {
    if (!sandbox::Covers(layers, threat)) return Isolation::kContainer;
  }
  return layers.Has(Layer::kLandlock) ? Isolation::kKernelLine : Isolation::kContainer;
}

Facts LocalFacts(const sandbox::Seen& seen, const std::string& handle) {
  Facts facts;
  facts.isolation = IsolationOf(seen.layers);
  for (const Layer layer : sandbox::kAllLayers) {
    if (!seen.layers.Has(layer)) continue;
    if (!facts.isolation_detail.empty()) facts.isolation_detail += ", ";
    facts.isolation_detail += sandbox::LayerName(layer);
  }
  facts.handle = handle;
  facts.resources.memory = seen.held.memory;
  facts.resources.processes = seen.held.processes;
  facts.resources.cpus = static_cast<double>(seen.held.processors) / kThousandths;
  return facts;
}

}  // namespace cordon::provision
