#include "provision/reconcile.h"

#include <map>

#include "base/try.h"
#include "provision/fault_point.h"
#include "provision/reasons.h"

namespace cordon::provision {
namespace {

using store::Sandbox;
using store::SandboxState;

// One driver's sandboxes, settled one by one.
class Settling {
 public:
  Settling(Common& common, Endings& endings, Driver& driver)
      : common_(common), endings_(endings), driver_(driver) {}

  Status Run() {
    TRY_ASSIGN(const std::vector<Found> found, driver_.List());
    FaultPoint("recover.listed");
    std::map<SandboxId, Found> there;
    for (const Found& one : found) there.emplace(one.id, one);
    store::SandboxFilter filter;
    filter.driver = std::string(driver_.name());
    filter.states = {SandboxState::kPending, SandboxState::kReady, SandboxState::kPaused,
                     SandboxState::kTerminating};
    TRY_ASSIGN(const std::vector<Sandbox> wanted, common_.states.All(filter));
    for (const Sandbox& sandbox : wanted) {
      const auto match = there.find(sandbox.id);
      TRY(Settle(sandbox, match == there.end() ? nullptr : &match->second));
      if (match != there.end()) there.erase(match);
      FaultPoint("recover.settled");
    }
    for (const auto& [id, one] : there) RemoveOrphan(common_, driver_, id);
    return {};
  }

 private:
  Status Settle(const Sandbox& sandbox, const Found* found) {
    switch (sandbox.state) {
      case SandboxState::kPending:
        return End(sandbox, {reasons::kInterrupted, "the server ended while it was being made"});
      case SandboxState::kTerminating: return Finish(sandbox.id);
      default: break;
    }
    if (found == nullptr) {
      return End(sandbox, {reasons::kLost, "nothing was left of it when the server started"});
    }
    if (found->liveness == Liveness::kDead || found->making == Found::Making::kHalfDone) {
      return End(sandbox, {reasons::kDied, "it was dead when the server started"});
    }
    return TakeOver(sandbox, *found);
  }

  // What the store does not say did not happen: a pause or resume that was cut off is undone.
  Status TakeOver(const Sandbox& sandbox, const Found& found) {
    const auto adopted = driver_.Adopt(sandbox.id);
    if (!adopted) return End(sandbox, {reasons::kLost, adopted.error().detail});
    FaultPoint("recover.adopted");
    Status as_recorded;
    if (sandbox.state == SandboxState::kReady && found.liveness == Liveness::kPaused) {
      as_recorded = driver_.Resume(sandbox.id);
    } else if (sandbox.state == SandboxState::kPaused && found.liveness == Liveness::kRunning) {
      as_recorded = driver_.Pause(sandbox.id);
    }
    if (!as_recorded) return End(sandbox, {reasons::kLost, as_recorded.error().detail});
    common_.activity.Admit(sandbox.id, common_.IdleOf(sandbox));
    return {};
  }

  Status End(const Sandbox& sandbox, const Why& why) {
    TRY(endings_.Mark(sandbox.id, why));
    return Finish(sandbox.id);
  }

  // What the driver cannot remove now it may be able to later; the store must work.
  Status Finish(const SandboxId& id) {
    const Status finished = endings_.Finish(id);
    if (finished) return {};
    TRY(common_.states.store().FindAnySandbox(id));
    return {};
  }

  Common& common_;
  Endings& endings_;
  Driver& driver_;
};

}  // namespace

void RemoveOrphan(Common& common, Driver& driver, const SandboxId& id) {
  const Turns::Turn turn = common.turns.Take(id);
  // Looked up after it was seen: had it been removed as the store says, it would not be there.
  const auto sandbox = common.states.store().FindAnySandbox(id);
  const bool unknown = !sandbox && sandbox.error().code == ErrorCode::kNotFound;
  const bool ended = sandbox && store::HasEnded(sandbox->state);
  if (!unknown && !ended) return;
  // An error leaves it for the next look.
  [[maybe_unused]] const Status removed = driver.Destroy(id);
  FaultPoint("recover.orphan_removed");
}

Status Reconcile(Common& common, Endings& endings) {
  FaultPoint("recover.begun");
  for (const auto& driver : common.drivers) TRY(Settling(common, endings, *driver).Run());
  TRY(common.states.store().ForgetUnfounded());
  FaultPoint("recover.unfounded_forgotten");
  return {};
}

}  // namespace cordon::provision
