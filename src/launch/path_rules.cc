#include "launch/path_rules.h"

#include "base/try.h"
#include "launch/view.h"
#include "platform/landlock.h"
#include "sandbox/system_places.h"

namespace cordon::launch {
namespace {

using platform::LandlockRules;
using platform::PathGrant;
using platform::TcpRule;
using sandbox::Layer;
using sandbox::LayerSet;
using sandbox::Spec;

Status GrantPrivate(LandlockRules& rules, const Spec& spec, const LayerSet& layers) {
  // The root and /dev hold only what was put there, so their lists tell nothing.
  TRY(rules.Grant("/", PathGrant::kList));
  for (const std::string& path : PrivateDirectories(spec)) {
    TRY(rules.Grant(path, PathGrant::kEverything));
  }
  TRY(rules.Grant("/dev/pts", PathGrant::kReadWrite));
  return rules.Grant("/proc",
                     layers.Has(Layer::kPidNamespace) ? PathGrant::kReadWrite : PathGrant::kRead);
}

Status GrantShared(LandlockRules& rules, const Spec& spec) {
  if (spec.terminal == sandbox::TerminalUse::kOwn) {
    TRY(rules.Grant("/dev/pts", PathGrant::kReadWrite));
  }
  return rules.Grant("/proc", PathGrant::kRead);
}

}  // namespace

Status RestrictPaths(const Spec& spec, const LayerSet& layers) {
  const bool refuse_tcp =
      spec.network != sandbox::Network::kFull && !layers.Has(Layer::kNetworkNamespace);
  TRY_ASSIGN(LandlockRules rules,
             LandlockRules::Make(refuse_tcp ? TcpRule::kRefused : TcpRule::kNotHandled));
  for (const sandbox::Place& place : spec.system) {
    TRY(rules.Grant(place.path, PathGrant::kReadExecute));
  }
  for (const sandbox::Place& place : spec.places) {
    TRY(rules.Grant(place.seen_at(), place.access == sandbox::Place::Access::kReadWrite
                                         ? PathGrant::kEverything
                                         : PathGrant::kReadExecute));
  }
  for (const char* device : sandbox::kDevices) {
    TRY(rules.Grant(std::string("/dev/") + device, PathGrant::kReadWrite));
  }
  TRY(layers.Has(Layer::kMountNamespace) ? GrantPrivate(rules, spec, layers)
                                         : GrantShared(rules, spec));
  return rules.Enforce();
}

}  // namespace cordon::launch
