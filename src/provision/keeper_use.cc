// Sandboxes in use, paused and resumed; and room made for another.
#include <algorithm>

#include "base/try.h"
#include "provision/fault_point.h"
#include "provision/keeper.h"
#include "provision/reasons.h"

namespace cordon::provision {
namespace {

using store::Sandbox;
using store::SandboxState;

// One answer for every reason: whoever asks learns nothing of what is another's.
Error SandboxRequired() {
  Error error;
  error.code = ErrorCode::kSandboxRequired;
  error.op = "sandbox";
  error.detail = "This operation requires a sandbox environment. Please refresh and try again.";
  return error;
}

Error NotInState(const Sandbox& sandbox, std::string_view wanted) {
  Error error;
  error.code = ErrorCode::kInvalidArguments;
  error.op = "sandboxes";
  error.detail = "the sandbox is ";
  error.detail.append(store::StateName(sandbox.state)).append(", and not ").append(wanted);
  return error;
}

Error NoDriver(const Sandbox& sandbox) {
  Error error;
  error.code = ErrorCode::kUnsupported;
  error.op = "sandboxes";
  error.detail = "there is no driver " + sandbox.driver + " here";
  return error;
}

}  // namespace

Result<Sandboxes::Lease> Keeper::Use(std::string_view user, const SandboxId& id) {
  auto sandbox = common_.states.store().FindSandbox(user, id);
  if (!sandbox) return SandboxRequired();
  if (sandbox->state == SandboxState::kReady) {
    Lease lease{std::move(*sandbox), nullptr, common_.activity.Enter(id)};
    lease.driver = common_.DriverOf(lease.sandbox.driver);
    if (lease.activity && lease.driver) return lease;
  }
  // It is paused, or about to be, or about to end: whoever is at it finishes first.
  return EnterHeld(user, id);
}

Result<Sandboxes::Lease> Keeper::EnterHeld(std::string_view user, const SandboxId& id) {
  const Turns::Turn turn = common_.turns.Take(id);
  auto sandbox = common_.states.store().FindSandbox(user, id);
  if (!sandbox) return SandboxRequired();
  if (sandbox->state == SandboxState::kPaused && sandbox->reason == reasons::kIdle) {
    sandbox = WakeHeld(*sandbox);
  }
  if (!sandbox || sandbox->state != SandboxState::kReady) return SandboxRequired();
  Lease lease{std::move(*sandbox), nullptr, common_.activity.Enter(id)};
  lease.driver = common_.DriverOf(lease.sandbox.driver);
  if (!lease.activity || !lease.driver) return SandboxRequired();
  return lease;
}

// The driver first: what the store calls ready is running, what it calls paused was paused.
Result<Sandbox> Keeper::WakeHeld(const Sandbox& sandbox) {
  const auto driver = common_.DriverOf(sandbox.driver);
  if (!driver) return NoDriver(sandbox);
  FaultPoint("resume.begun");
  TRY(driver->Resume(sandbox.id));
  FaultPoint("resume.done");
  TRY_ASSIGN(Sandbox resumed,
             common_.states.Move(sandbox.id, {SandboxState::kPaused}, [](Sandbox& changed) {
               changed.state = SandboxState::kReady;
               changed.reason.clear();
             }));
  common_.activity.Admit(sandbox.id, common_.IdleOf(sandbox));
  FaultPoint("resume.recorded");
  return resumed;
}

Result<Sandbox> Keeper::Pause(std::string_view user, const SandboxId& id) {
  TRY(common_.states.store().FindSandbox(user, id));  // others do not even get a turn
  const Turns::Turn turn = common_.turns.Take(id);
  TRY_ASSIGN(const Sandbox sandbox, common_.states.store().FindSandbox(user, id));
  const auto driver = common_.DriverOf(sandbox.driver);
  if (!driver) return NoDriver(sandbox);
  const auto by_user = [](Sandbox& changed) {
    changed.state = SandboxState::kPaused;
    changed.reason = reasons::kUserPause;
  };
  // Paused for idleness: from now on its user's will.
  if (sandbox.state == SandboxState::kPaused) {
    return common_.states.Move(id, {SandboxState::kPaused}, by_user);
  }
  if (sandbox.state != SandboxState::kReady) return NotInState(sandbox, "ready");
  FaultPoint("pause.begun");
  TRY(driver->Pause(id));
  FaultPoint("pause.done");
  auto paused = common_.states.Move(id, {SandboxState::kReady}, by_user);
  FaultPoint("pause.recorded");
  // Not written down, so it did not happen.
  if (!paused) [[maybe_unused]]
    const Status resumed = driver->Resume(id);
  return paused;
}

Result<Sandbox> Keeper::Resume(std::string_view user, const SandboxId& id) {
  TRY(common_.states.store().FindSandbox(user, id));
  const Turns::Turn turn = common_.turns.Take(id);
  TRY_ASSIGN(Sandbox sandbox, common_.states.store().FindSandbox(user, id));
  if (sandbox.state == SandboxState::kReady) return sandbox;
  if (sandbox.state != SandboxState::kPaused) return NotInState(sandbox, "paused");
  return WakeHeld(sandbox);
}

Status Keeper::MakeRoom(std::string_view user, const Error& full) {
  if (common_.policy.full == Policy::Full::kRefuse) return full;
  store::SandboxFilter filter;
  filter.user = std::string(user);
  filter.states = {SandboxState::kReady, SandboxState::kPaused};
  TRY_ASSIGN(std::vector<Sandbox> candidates, common_.states.All(filter));
  for (Sandbox& sandbox : candidates) ShowActivity(sandbox);
  std::sort(candidates.begin(), candidates.end(),
            [](const Sandbox& a, const Sandbox& b) { return a.active < b.active; });
  const std::chrono::milliseconds patience = common_.policy.evictable_after;
  const store::Time before = common_.states.now() - patience.count();
  for (const Sandbox& sandbox : candidates) {
    if (sandbox.active > before) break;
    FaultPoint("evict.begun");
    const auto retired = endings_.EndUnused(sandbox.id, before,
                                            {reasons::kEvicted, "its user wanted another sandbox"});
    if (retired && *retired == Activity::Retired::kYes) return {};
  }
  return full;
}

}  // namespace cordon::provision
