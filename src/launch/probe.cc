#include "launch/probe.h"

#include <functional>
#include <string>
#include <system_error>

#include "base/try.h"
#include "launch/ahead.h"
#include "launch/filter_table.h"
#include "launch/line.h"
#include "launch/view.h"
#include "platform/capabilities.h"
#include "platform/child_process.h"
#include "platform/control_group.h"
#include "platform/file_io.h"
#include "platform/inherited.h"
#include "platform/landlock.h"
#include "platform/passed_descriptors.h"
#include "platform/syscall_filter.h"
#include "sandbox/layer.h"

namespace cordon::launch {
namespace {

using sandbox::Layer;
using sandbox::LayerSet;

constexpr int kStandardOutput = 1;
constexpr std::size_t kMostText = 4096;

Error FromFilter(int negative_errno) {
  Error error;
  error.op = "seccomp";
  error.os_errno = -negative_errno;
  return error;
}

std::string Told(const Error& error) {
  const std::string why = error.os_errno != 0 ? std::generic_category().message(error.os_errno)
                                              : std::string("not possible");
  const std::string where = error.component.empty() ? "" : " for " + error.component;
  return why + " from " + std::string(error.op) + where;
}

// What `trial` says for itself, from a process in new namespaces.
Result<std::string> TryIn(const LayerSet& namespaces,
                          const std::function<Result<std::string>()>& trial) {
  TRY_ASSIGN(platform::MessagePair pair, platform::MakeMessagePair());
  auto child = platform::RunInCopy(NamespacesOf(namespaces), [&] {
    pair.one.reset();
    const auto begin = platform::ReceiveMessage(pair.other.get(), 1);
    if (!begin || begin->bytes.empty()) return 1;
    const Result<std::string> said = trial();
    const std::string text = said ? "y" + *said : "n" + Told(said.error());
    return platform::SendMessage(pair.other.get(), text, {}) ? 0 : 1;
  });
  if (!child) return std::move(child.error());
  pair.other.reset();
  Status mapped;
  if (namespaces.Has(Layer::kUserNamespace)) mapped = platform::MapUsers(child->process);
  if (mapped) mapped = platform::SendMessage(pair.one.get(), "b", {});
  if (!mapped) platform::SignalProcess(child->process, platform::EndSignal::kKill);
  auto said = platform::ReceiveMessage(pair.one.get(), kMostText);
  TRY(platform::WaitFor(child->process));
  if (!mapped) return std::move(mapped.error());
  if (!said) return std::move(said.error());
  if (said->bytes.starts_with('y')) return said->bytes.substr(1);
  Error error;
  error.detail =
      said->bytes.empty() ? "the process that tried it was ended" : said->bytes.substr(1);
  return error;
}

Result<std::string> Works() { return std::string("works"); }

// A line with nothing in it but what the layer needs.
Result<std::string> DrawEmpty(const LayerSet& layers) {
  sandbox::Spec spec;
  Line line(spec, layers);
  const auto setback = line.Draw();
  if (!setback) return Works();
  Error error;
  error.op = "set-up";
  error.component = setback->failed.what;
  error.os_errno = setback->failed.os_errno;
  return error;
}

class Prober {
 public:
  Result<std::string> Try(Layer layer) {
    switch (layer) {
      case Layer::kLandlock: return TryLandlock();
      case Layer::kSyscallFilter: return TryFilter(platform::Listener::kNone);
      case Layer::kSupervisor: return TryFilter(platform::Listener::kWanted);
      case Layer::kControlGroup: return TryGroup();
      case Layer::kNoNewPrivileges:
      case Layer::kCapabilities:
        return TryIn({}, [layer] { return DrawEmpty({Layer::kNoNewPrivileges, layer}); });
      default: return TryNamespace(layer);
    }
  }

 private:
  static Result<std::string> TryLandlock() {
    TRY_ASSIGN(const int version, platform::LandlockVersion());
    TRY(TryIn({}, [] { return DrawEmpty({Layer::kNoNewPrivileges, Layer::kLandlock}); }));
    return "ABI " + std::to_string(version);
  }

  static Result<std::string> TryFilter(platform::Listener listener) {
    platform::FilterTerms terms;
    if (listener == platform::Listener::kNone) {
      terms.names = platform::FilterTerms::Names::kUnsupervised;
    }
    const auto filter = FilterOf(terms);
    return TryIn({}, [&]() -> Result<std::string> {
      TRY(platform::ForbidNewPrivileges());
      // The listener goes with the filter's last process, so nothing is ever kept waiting:
      // a call that would be supervised is not made here.
      const int installed = platform::InstallFilter(filter, listener);
      if (installed < 0) return FromFilter(installed);
      return Works();
    });
  }

  static Result<std::string> TryGroup() {
    platform::GroupLimits limits;
    limits.memory = 1ULL << 40U;
    limits.processes = 1U << 16U;
    TRY_ASSIGN(platform::ControlGroup group, platform::ControlGroup::Make(limits));
    const std::string kind = group.kind();
    group.Remove();
    return kind;
  }

  // With those before it that work: most need a user namespace, unless one is root.
  Result<std::string> TryNamespace(Layer layer) {
    LayerSet layers = have_;
    layers.Add(layer);
    if (layer == Layer::kPidNamespace && !have_.Has(Layer::kMountNamespace)) {
      Error error;
      error.detail = "needs a mount namespace for its process files";
      return error;
    }
    auto tried = TryIn(layers, [&layers] { return DrawEmpty(layers); });
    if (tried) have_.Add(layer);
    return tried;
  }

  LayerSet have_;
};

}  // namespace

int Probe() {
  Prober prober;
  std::string lines;
  for (const Layer layer : sandbox::kAllLayers) {
    const Result<std::string> found = prober.Try(layer);
    const std::string name(sandbox::LayerName(layer));
    if (found)
      lines += name + " yes " + *found + "\n";
    else
      lines +=
          name + " no " +
          (found.error().detail.empty() || found.error().os_errno != 0 ? Told(found.error())
                                                                       : found.error().detail) +
          "\n";
  }
  return platform::WriteAll(kStandardOutput, lines) ? 0 : 1;
}

}  // namespace cordon::launch
