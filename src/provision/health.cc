#include "provision/health.h"

#include <map>

#include "provision/fault_point.h"
#include "provision/reasons.h"
#include "provision/reconcile.h"

namespace cordon::provision {

using store::Sandbox;
using store::SandboxState;
using store::Time;

std::vector<Sandbox> Health::In(std::vector<SandboxState> states) {
  store::SandboxFilter filter;
  filter.states = std::move(states);
  auto found = common_.states.All(filter);
  return found ? std::move(*found) : std::vector<Sandbox>();
}

void Health::Look() {
  making_.GiveUpOverdue();
  for (const auto& driver : common_.drivers) CompareWith(*driver);
  EndIdleAndExpired();
  TryAgain();
  WriteActivity();
  const std::chrono::milliseconds kept = common_.policy.tombstones;
  [[maybe_unused]] const Status pruned =
      common_.states.store().Prune(common_.states.now() - kept.count());
}

// The store first: what was ready before the driver was asked must be in its answer. What is in
// the answer and not wanted is judged by what the store says afterwards.
void Health::CompareWith(Driver& driver) {
  store::SandboxFilter filter;
  filter.driver = std::string(driver.name());
  filter.states = {SandboxState::kReady, SandboxState::kPaused};
  const auto wanted = common_.states.All(filter);
  if (!wanted) return;
  const auto found = driver.List();
  if (!found) return;
  std::map<SandboxId, const Found*> there;
  for (const Found& one : *found) there.emplace(one.id, &one);
  for (const Sandbox& sandbox : *wanted) {
    const auto match = there.find(sandbox.id);
    CheckAlive(sandbox, match == there.end() ? nullptr : match->second, driver);
    if (match != there.end()) there.erase(match);
  }
  for (const auto& [id, one] : there) RemoveOrphan(common_, driver, id);
}

void Health::CheckAlive(const Sandbox& sandbox, const Found* found, Driver& driver) {
  if (found != nullptr && found->liveness != Liveness::kDead) return;
  if (found != nullptr) {
    LookAtDead(sandbox.id);
    return;
  }
  // Ended by somebody meanwhile, or gone: only the second is news.
  const auto usage = driver.Inspect(sandbox.id);
  if (usage || usage.error().code != ErrorCode::kNotFound) return;
  [[maybe_unused]] const Status buried =
      endings_.Bury(sandbox.id, {reasons::kLost, "nothing was left of it"});
}

void Health::LookAtDead(const SandboxId& id) {
  const auto sandbox = common_.states.store().FindAnySandbox(id);
  // One that is being made is its maker's.
  if (!sandbox || sandbox->state == SandboxState::kPending) return;
  [[maybe_unused]] const Status buried = endings_.Bury(id, {reasons::kDied, "it ended by itself"});
}

void Health::EndIdleAndExpired() {
  const Time now = common_.states.now();
  for (const Sandbox& sandbox : In({SandboxState::kReady, SandboxState::kPaused})) {
    if (sandbox.pooled == Sandbox::Pooled::kWaiting) continue;
    if (sandbox.expires && *sandbox.expires <= now) {
      FaultPoint("expire.begun");
      const Status marked =
          endings_.Mark(sandbox.id, {reasons::kMaxLifetime, "it has lived as long as it may"});
      if (marked) [[maybe_unused]]
        const Status ended = endings_.Finish(sandbox.id);
    } else if (sandbox.state == SandboxState::kReady) {
      RestWhenIdle(sandbox, now);
    }
  }
}

void Health::RestWhenIdle(const Sandbox& sandbox, Time now) {
  const auto idle_at = common_.activity.IdleAt(sandbox.id);
  if (!idle_at || *idle_at > now) return;
  FaultPoint("idle.begun");
  const auto last = common_.activity.LastActive(sandbox.id);
  const Time before = last.value_or(now);  // whoever comes meanwhile keeps it
  if (common_.policy.when_idle == Policy::Idle::kPause) {
    PauseUnused(sandbox, before);
    return;
  }
  [[maybe_unused]] const auto ended =
      endings_.EndUnused(sandbox.id, before, {reasons::kIdle, "nobody has used it for long"});
}

void Health::PauseUnused(const Sandbox& sandbox, Time before) {
  const auto driver = common_.DriverOf(sandbox.driver);
  const Turns::Turn turn = common_.turns.Take(sandbox.id);
  if (common_.activity.Retire(sandbox.id, before) == Activity::Retired::kInUse) return;
  if (driver && driver->Pause(sandbox.id)) {
    FaultPoint("idle.paused");
    const auto paused =
        common_.states.Move(sandbox.id, {SandboxState::kReady}, [](Sandbox& changed) {
          changed.state = SandboxState::kPaused;
          changed.reason = reasons::kIdle;
        });
    if (!paused) [[maybe_unused]]
      const Status resumed = driver->Resume(sandbox.id);
  }
  common_.activity.Restore(sandbox.id);
}

// What a driver, or the store, did not take the last time.
void Health::TryAgain() {
  for (const Sandbox& sandbox : In({SandboxState::kPending, SandboxState::kTerminating})) {
    if (making_.IsUnderWay(sandbox.id)) continue;
    if (sandbox.state == SandboxState::kPending) {
      // Added a moment ago, and about to be made; or left by a maker that could not write.
      const std::chrono::milliseconds patience = common_.policy.provisioning;
      if (sandbox.created + patience.count() > common_.states.now()) continue;
      [[maybe_unused]] const Status marked =
          endings_.Mark(sandbox.id, {reasons::kInterrupted, "nobody was making it"});
    }
    [[maybe_unused]] const Status finished = endings_.Finish(sandbox.id);
  }
}

void Health::WriteActivity() {
  for (const auto& [id, last] : common_.activity.TakeNews()) {
    [[maybe_unused]] const Status touched = common_.states.store().Touch(id, last);
  }
}

}  // namespace cordon::provision
