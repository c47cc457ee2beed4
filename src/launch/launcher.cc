#include "launch/launcher.h"

#include <optional>
#include <string>
#include <variant>

#include "launch/ahead.h"
#include "launch/attempt.h"
#include "launch/control.h"
#include "launch/view.h"
#include "platform/inherited.h"
#include "sandbox/spec.h"

namespace cordon::launch {
namespace {

using sandbox::Failed;
using sandbox::Layer;
using sandbox::LayerSet;
using sandbox::Spec;

// Where there is nothing to count, or the PID namespace does it, there is no control group.
void RemoveIdleGroup(const Spec& spec, LayerSet& layers) {
  const bool counted = spec.limits.memory != 0 || spec.limits.processes != 0;
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
std::optional<Failed> LaunchWith(const Spec& spec, const Control& control, Ahead& ahead) {
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
    const std::optional<Setback> setback = TryOnce(spec, used, control, ahead);
    if (!setback) return std::nullopt;
    if (!setback->layer || !layers.Has(*setback->layer)) return setback->failed;
    os_errno = setback->failed.os_errno;
    layers.Remove(*setback->layer);
  }
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
  std::optional<Failed> failed;
  const Result<Spec> spec = ReadSpec();
  if (!spec || spec->arguments.empty())
    failed = Failed{Failed::Stage::kSetUp, "spec", 0};
  else if (!streams)
    failed = Failed{Failed::Stage::kSetUp, "streams", streams.error().os_errno};
  else
    failed = LaunchWith(*spec, control, ahead);
  if (!failed) return 0;
  return control.Send(*failed) ? 0 : 1;
}

}  // namespace cordon::launch
