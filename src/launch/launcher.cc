#include "launch/launcher.h"

#include <algorithm>
#include <optional>
#include <string>

#include "base/try.h"
#include "launch/attempt.h"
#include "launch/control.h"
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

constexpr std::size_t kMostSpecBytes = 64UL * 1024 * 1024;

Result<Spec> TakeSpec() {
  const platform::UniqueFd file(sandbox::kSpecDescriptor);
  const Result<std::string> bytes = platform::ReadWhole(file.get(), kMostSpecBytes);
  if (!bytes) return bytes.error();
  return sandbox::DecodeSpec(*bytes);
}

// What is tried first: all that is wanted and has a use here.
LayerSet FirstLayers(const Spec& spec) {
  LayerSet layers = LayerSet::OfBits(spec.wanted.bits() | spec.required.bits());
  if (spec.network == sandbox::Network::kFull) layers.Remove(Layer::kNetworkNamespace);
  const bool counted =
      spec.limits.memory != 0 || spec.limits.processes != 0 || spec.limits.processors != 0;
  if (!counted && !spec.required.Has(Layer::kControlGroup)) layers.Remove(Layer::kControlGroup);
  return layers;
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
std::optional<Failed> LaunchWith(const Spec& spec, const Control& control, Stay stay) {
  LayerSet layers = FirstLayers(spec);
  int os_errno = 0;
  for (;;) {
    RemoveDependent(layers);
    if (std::optional<Failed> missing = MissingLayer(spec, layers)) {
      missing->os_errno = os_errno;
      return missing;
    }
    const std::optional<Setback> setback = TryOnce(spec, layers, control, stay);
    if (!setback) return std::nullopt;
    if (!setback->layer || !layers.Has(*setback->layer)) return setback->failed;
    os_errno = setback->failed.os_errno;
    layers.Remove(*setback->layer);
  }
}

// A sandbox that stays is one by what sees and ends all of its processes.
Result<Spec> TakeResidentSpec() {
  TRY_ASSIGN(Spec spec, TakeSpec());
  for (const Layer layer : {Layer::kMountNamespace, Layer::kPidNamespace}) {
    spec.required.Add(layer);
  }
  return spec;
}

int LastDescriptor(Stay stay) {
  return stay == Stay::kResident ? sandbox::kEpitaphDescriptor : sandbox::kControlDescriptor;
}

int LaunchAs(Stay stay) {
  platform::CloseFrom(LastDescriptor(stay) + 1);
  platform::IgnoreTerminalSignals();
  const Control control(sandbox::kControlDescriptor);
  std::optional<Failed> failed;
  const Result<Spec> spec = stay == Stay::kResident ? TakeResidentSpec() : TakeSpec();
  const Status streams = platform::FillStandardStreams();
  const bool names_program = spec && !spec->arguments.empty();
  if (!spec || names_program != (stay == Stay::kForOneCommand))
    failed = Failed{Failed::Stage::kSetUp, "spec", 0};
  else if (!streams)
    failed = Failed{Failed::Stage::kSetUp, "streams", streams.error().os_errno};
  else
    failed = LaunchWith(*spec, control, stay);
  if (!failed) return 0;
  return control.Send(*failed) ? 0 : 1;
}

// Not a child of whoever started it: nobody has to wait for it, and nobody's terminal or end
// is its own.
int LaunchResident() {
  const auto child = platform::RunInCopy({}, [] {
    if (const Status alone = platform::BeginSession(); !alone) return 1;
    return LaunchAs(Stay::kResident);
  });
  return child ? 0 : 1;
}

}  // namespace

int Launch(Stay stay) { return stay == Stay::kResident ? LaunchResident() : LaunchAs(stay); }

}  // namespace cordon::launch
