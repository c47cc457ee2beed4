#include "launch/attempt.h"

#include <array>
#include <chrono>
#include <utility>

#include "launch/door.h"
#include "launch/inside.h"
#include "launch/resident.h"
#include "platform/child_process.h"
#include "platform/control_group.h"
#include "platform/file_io.h"
#include "platform/inherited.h"
#include "platform/passed_descriptors.h"
#include "platform/wait_events.h"
#include "sandbox/resident_message.h"

namespace cordon::launch {
namespace {

using platform::NamespaceSet;
using sandbox::Layer;
using sandbox::LayerSet;
using sandbox::Spec;

// As many as the kernel can have at all: counted, but not limited.
constexpr std::uint64_t kUnlimitedProcesses = 1U << 22U;

// Which namespace it was that could not be had: the first that a process cannot get beside
// those before it.
std::optional<Layer> MissingNamespace(const LayerSet& layers) {
  NamespaceSet have;
  for (const auto& [layer, name] : kNamespaceLayers) {
    if (!layers.Has(layer)) continue;
    NamespaceSet more = have;
    more.set(static_cast<std::size_t>(name));
    const auto child = platform::RunInCopy(more, [] { return 0; });
    if (!child || !platform::WaitFor(child->process)) return layer;
    have = more;
  }
  return std::nullopt;
}

class Attempt {
 public:
  Attempt(const Spec& spec, const LayerSet& layers, const Means& means)
      : spec_(spec),
        layers_(layers),
        control_(means.control),
        ahead_(means.ahead),
        stay_(means.stay) {}

  std::optional<Setback> Run() {
    std::optional<Setback> setback = Start();
    if (!setback) setback = Watch();
    if (group_) group_->Remove();
    return setback;
  }

 private:
  std::optional<Setback> Start() {
    std::optional<Setback> setback;
    if (auto waiting = ahead_.Take(layers_)) {
      child_ = std::move(waiting->child);
      inside_ = std::move(waiting->inside);
    } else {
      setback = MakeProcess();
      if (setback) return setback;
      setback = MapUsers();
    }
    if (!setback) setback = Begin();
    if (!setback) setback = JoinGroup();
    if (setback) EndInside();
    return setback;
  }

  std::optional<Setback> MakeProcess() {
    if (auto setback = MakeGroup()) return setback;
    if (!layers_.Has(Layer::kPidNamespace)) {
      // What outlives the process inside comes here, to be ended.
      if (const Status adopt = platform::AdoptOrphans(); !adopt) {
        return SetbackOf(std::nullopt, adopt.error());
      }
    }
    auto pair = platform::MakeMessagePair();
    if (!pair) return SetbackOf(std::nullopt, pair.error());
    auto child = platform::RunInCopy(NamespacesOf(layers_), [&] {
      pair->one.reset();
      if (!WaitToBegin(pair->other.get(), EndOf(layers_))) return 1;
      InsideTerms terms{spec_, layers_, control_, std::move(pair->other), Group()};
      return stay_ == Stay::kResident ? RunResident(std::move(terms)) : RunInside(std::move(terms));
    });
    if (!child) return SetbackOf(MissingNamespace(layers_), child.error());
    child_ = std::move(*child);
    inside_ = std::move(pair->one);
    return std::nullopt;
  }

  bool HasEnded() const {
    std::array<platform::Awaited, 1> awaited;
    awaited[0] = {child_.watch.get(), platform::Awaited::What::kInput};
    platform::AwaitAny(awaited, std::chrono::milliseconds(0));
    return awaited[0].happened;
  }

  std::optional<Setback> MakeGroup() {
    if (!layers_.Has(Layer::kControlGroup)) return std::nullopt;
    platform::GroupLimits limits;
    limits.memory = spec_.limits.memory;
    limits.processors = spec_.limits.processors;
    // The process inside is counted as well.
    if (spec_.limits.processes != 0) limits.processes = spec_.limits.processes + 1;
    if (limits.memory == 0 && limits.processes == 0) limits.processes = kUnlimitedProcesses;
    // Of those that stay there may be a thousand; who makes them looks after what is left of them.
    if (stay_ != Stay::kResident) {
      platform::ControlGroup::RemoveAbandoned(platform::LastProcess::kIsGone);
    }
    auto group = platform::ControlGroup::Make(limits);
    if (!group) return SetbackOf(Layer::kControlGroup, group.error());
    group_ = std::move(*group);
    return std::nullopt;
  }

  const platform::ControlGroup* Group() const { return group_ ? &*group_ : nullptr; }

  // What the process inside needs of us before it begins.
  std::optional<Setback> MapUsers() {
    if (!layers_.Has(Layer::kUserNamespace)) return std::nullopt;
    if (const Status mapped = platform::MapUsers(child_.process); !mapped) {
      return OfTheLiving(SetbackOf(Layer::kUserNamespace, mapped.error()));
    }
    return std::nullopt;
  }

  // While it draws its line (AwaitGroup): the kernel waits until no processor looks at the groups
  // any more, ten milliseconds and longer.
  std::optional<Setback> JoinGroup() {
    if (!group_) return std::nullopt;
    if (const Status added = group_->Add(child_.process); !added) {
      return ToldOr(SetbackOf(Layer::kControlGroup, added.error()));
    }
    if (const Status told = TellOfGroup(inside_.get()); !told) {
      return ToldOr(SetbackOf(std::nullopt, told.error()));
    }
    return std::nullopt;
  }

  // What the process inside has said before it went, if it did.
  Setback ToldOr(const Setback& ours) const {
    if (!HasEnded()) return ours;
    const auto message = platform::ReceiveMessage(inside_.get(), sandbox::kMaxMessageBytes);
    return message && !message->bytes.empty() ? DecodeSetback(message->bytes) : OfTheLiving(ours);
  }

  // Who was ended by somebody could not be furnished: that says nothing about the layer.
  Setback OfTheLiving(Setback setback) const {
    if (HasEnded()) setback.layer.reset();
    return setback;
  }

  std::optional<Setback> Begin() const {
    if (const Status begin = TellToBegin(inside_.get(), layers_); !begin) {
      return SetbackOf(std::nullopt, begin.error());
    }
    return std::nullopt;
  }

  std::optional<Setback> Watch() {
    using What = platform::Awaited::What;
    std::array<platform::Awaited, 3> awaited;
    awaited[1] = {control_.socket(), What::kHangUp};
    awaited[2] = {child_.watch.get(), What::kInput};
    for (;;) {
      awaited[0] = {inside_.get(), What::kInput};
      platform::AwaitAny(awaited, std::nullopt);
      if (awaited[0].happened) {
        const auto message = platform::ReceiveMessage(inside_.get(), sandbox::kMaxMessageBytes);
        if (message && !message->bytes.empty()) {
          if (stay_ == Stay::kResident && message->bytes == kResidentReady) return KeepDoor();
          EndInside();
          return DecodeSetback(message->bytes);
        }
        inside_.reset();  // the command runs, and has the streams
        platform::EmptyStandardStreams();
      }
      if (awaited[1].happened || awaited[2].happened) break;
    }
    Conclude(EndInside());
    return std::nullopt;
  }

  // The sandbox stands; from here on it is nobody's but its socket's.
  std::optional<Setback> KeepDoor() {
    platform::UniqueFd(control_.socket()).reset();
    sandbox::Epitaph epitaph;
    door_.emplace(sandbox::kRequestsDescriptor, inside_.get(), child_.watch.get());
    platform::GiveBackMemory();
    epitaph.cause = door_->Keep();
    const platform::Exit exit = EndInside();
    if (epitaph.cause == sandbox::Epitaph::Cause::kDied) {
      epitaph.status = exit.status;
      epitaph.signal = exit.signal;
    }
    if (group_) {
      epitaph.memory = group_->Events().ended_for_memory ? sandbox::Epitaph::Memory::kRanOut
                                                         : sandbox::Epitaph::Memory::kEnough;
    }
    // Who wants to know may be gone, and its directory, too.
    static_cast<void>(platform::WriteAll(sandbox::kEpitaphDescriptor, Encode(epitaph)));
    return std::nullopt;
  }

  platform::Exit EndInside() {
    platform::SignalProcess(child_.process, platform::EndSignal::kKill);
    const auto exit = platform::WaitFor(child_.process);
    if (!layers_.Has(Layer::kPidNamespace)) platform::EndDescendants();
    return exit ? *exit : platform::Exit{};
  }

  // The process inside tells how the command ended, unless it ended first itself, because
  // memory ran out.
  void Conclude(const platform::Exit& exit) const {
    if (exit.signal == 0 || !group_ || !group_->Events().ended_for_memory) return;
    sandbox::Ended ended;
    ended.signal = exit.signal;
    ended.peak_memory = group_->Events().peak_memory;
    if (control_.Send(sandbox::LimitHit{sandbox::LimitKind::kMemory})) {
      if (const Status sent = control_.Send(ended); !sent) return;
    }
  }

  const Spec& spec_;
  const LayerSet layers_;
  const Control& control_;
  Ahead& ahead_;
  const Stay stay_;
  std::optional<platform::ControlGroup> group_;
  platform::Child child_;
  platform::UniqueFd inside_;
  std::optional<Door> door_;  // last to go: its visitors see by that that all is gone
};

}  // namespace

std::optional<Setback> TryOnce(const Spec& spec, const LayerSet& layers, const Means& means) {
  return Attempt(spec, layers, means).Run();
}

}  // namespace cordon::launch
