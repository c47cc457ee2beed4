#include "launch/launcher.h"

#include <algorithm>
#include <optional>
#include <string>
#include <variant>

#include "launch/ahead.h"
#include "launch/attempt.h"
#include "launch/control.h"
#include "launch/view.h"
#include "platform/child_process.h"
#include "platform/inherited.h"
#include "platform/unique_fd.h"
#include "sandbox/resident_message.h"
#include "sandbox/spec.h"

namespace cordon::launch {
namespace {

using sandbox::Failed;
using sandbox::Layer;
using sandbox::LayerSet;
using sandbox::Spec;

// Where there is nothing to count, or the PID namespace does it, there is no control group.
void RemoveIdleGroup(const Spec& spec, LayerSet& layers) {
  const bool counted =
      spec.limits.memory != 0 || spec.limits.processes != 0 || spec.limits.processors != 0;
  const bool bound = layers.Has(Layer::kPidNamespace) && BoundByNamespace(spec.limits);
  if ((!counted || bound) && !spec.required.Has(Layer::kControlGroup)) {
    layers.Remove(Layer::kControlGroup);
  }
}

// What cannot be had without another layer.
void RemoveDependent(LayerSet& layers) {
  // A PID namespace without process files of its own would show those of others as its own.
  if (!layers.Has(Layer::kMountNamespace)) layers.Remove(Layer::kPidNamespace);
  if (!layers.Has(Layer::kSyscallFilter)) layers.Remove(Layer::kSupervisor);
}

std::optional<Failed> MissingLayer(const Spec& spec, const LayerSet& layers) {
  LayerSet needed = spec.required;
  if (spec.network == sandbox::Network::kProxied) needed.Add(Layer::kNetworkNamespace);
  const auto moved = [](const sandbox::Place& place) { return !place.inside.empty(); };
  if (std::ranges::any_of(spec.places, moved)) needed.Add(Layer::kMountNamespace);
  const LayerSet missing = needed.Without(layers);
  for (const Layer layer : sandbox::kAllLayers) {
    if (!missing.Has(layer)) continue;
    Failed failed;
    failed.stage = Failed::Stage::kRequiredLayer;
    failed.what = std::string(sandbox::LayerName(layer));
    return failed;
  }
  return std::nullopt;
}

// Each attempt that fails has one layer less than the one before.
std::optional<Failed> LaunchWith(const Spec& spec, const Means& means) {
  LayerSet layers = sandbox::FirstLayers(spec.wanted, spec.required, spec.network);
  int os_errno = 0;
  for (;;) {
    RemoveDependent(layers);
    if (std::optional<Failed> missing = MissingLayer(spec, layers)) {
      missing->os_errno = os_errno;
      return missing;
    }
    LayerSet used = layers;
    RemoveIdleGroup(spec, used);
    const std::optional<Setback> setback = TryOnce(spec, used, means);
    if (!setback) return std::nullopt;
    if (!setback->layer || !layers.Has(*setback->layer)) return setback->failed;
    os_errno = setback->failed.os_errno;
    layers.Remove(*setback->layer);
  }
}

int LaunchSpec(const Result<Spec>& spec, const Status& streams, const Means& means) {
  std::optional<Failed> failed;
  const bool names_program = spec && !spec->arguments.empty();
  if (!spec || names_program != (means.stay == Stay::kForOneCommand))
    failed = Failed{Failed::Stage::kSetUp, "spec", 0};
  else if (!streams)
    failed = Failed{Failed::Stage::kSetUp, "streams", streams.error().os_errno};
  else
    failed = LaunchWith(*spec, means);
  if (!failed) return 0;
  return means.control.Send(*failed) ? 0 : 1;
}

// A sandbox that stays is one by what sees and ends all of its processes.
int StayInSession() {
  platform::CloseFrom(sandbox::kEpitaphDescriptor + 1);
  platform::IgnoreTerminalSignals();
  const Control control(sandbox::kControlDescriptor);
  Result<Spec> spec = ReadSpec();
  platform::UniqueFd(sandbox::kSpecDescriptor).reset();
  if (spec) {
    spec->required.Add(Layer::kMountNamespace);
    spec->required.Add(Layer::kPidNamespace);
  }
  const Status streams = platform::FillStandardStreams();
  Ahead nothing({}, control);
  return LaunchSpec(spec, streams, {control, nothing, Stay::kResident});
}

}  // namespace

int Launch(const LayerSet& expected) {
  platform::CloseFrom(sandbox::kControlDescriptor + 1);
  platform::IgnoreTerminalSignals();
  const Control control(sandbox::kControlDescriptor);
  const Status streams = platform::FillStandardStreams();
  Ahead ahead(expected, control);
  const Result<Received> begin = control.Receive();
  if (!begin || !std::holds_alternative<sandbox::Begin>(begin->order)) return 1;
  return LaunchSpec(ReadSpec(), streams, {control, ahead, Stay::kForOneCommand});
}

// Not a child of whoever started it: nobody has to wait for it, and nobody's terminal or end
// is its own.
int LaunchResident() {
  const auto child = platform::RunInCopy({}, [] {
    if (const Status alone = platform::BeginSession(); !alone) return 1;
    return StayInSession();
  });
  return child ? 0 : 1;
}

}  // namespace cordon::launch
