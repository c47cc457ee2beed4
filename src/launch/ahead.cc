#include "launch/ahead.h"

#include <string>
#include <utility>

#include "launch/inside.h"
#include "platform/inherited.h"
#include "platform/passed_descriptors.h"

namespace cordon::launch {
namespace {

using platform::NamespaceSet;
using sandbox::Layer;
using sandbox::LayerSet;

constexpr std::size_t kMostSpecBytes = 64UL * 1024 * 1024;

int LiveInside(const Control& control, platform::UniqueFd launcher) {
  const std::optional<LayerSet> layers = WaitToBegin(launcher.get(), platform::EndSignal::kKill);
  if (!layers) return 1;
  const Result<sandbox::Spec> spec = ReadSpec();
  if (!spec) return 1;
  return RunInside({*spec, *layers, control, std::move(launcher)});
}

}  // namespace

Result<sandbox::Spec> ReadSpec() {
  const platform::UniqueFd file(sandbox::kSpecDescriptor);
  const Result<std::string> bytes = platform::ReadWhole(file.get(), kMostSpecBytes);
  if (!bytes) return bytes.error();
  return sandbox::DecodeSpec(*bytes);
}

NamespaceSet NamespacesOf(const LayerSet& layers) {
  NamespaceSet set;
  for (const auto& [layer, name] : kNamespaceLayers) {
    if (layers.Has(layer)) set.set(static_cast<std::size_t>(name));
  }
  return set;
}

Ahead::Ahead(const LayerSet& expected, const Control& control)
    : namespaces_(NamespacesOf(expected)) {
  if (!expected.Has(Layer::kPidNamespace) || !expected.Has(Layer::kMountNamespace)) return;
  auto pair = platform::MakeMessagePair();
  if (!pair) return;
  auto child = platform::RunInCopy(namespaces_, [&] {
    pair->one.reset();
    return LiveInside(control, std::move(pair->other));
  });
  if (!child) return;
  process_ = WaitingProcess{std::move(*child), std::move(pair->one)};
  if (expected.Has(Layer::kUserNamespace) && !platform::MapUsers(process_->child.process)) End();
}

Ahead::~Ahead() { End(); }

void Ahead::End() {
  if (!process_) return;
  platform::SignalProcess(process_->child.process, platform::EndSignal::kKill);
  static_cast<void>(platform::WaitFor(process_->child.process));
  process_.reset();
}

std::optional<WaitingProcess> Ahead::Take(const LayerSet& layers) {
  if (!process_) return std::nullopt;
  if (NamespacesOf(layers) != namespaces_ || layers.Has(Layer::kControlGroup)) {
    End();
    return std::nullopt;
  }
  return std::exchange(process_, std::nullopt);
}

}  // namespace cordon::launch
