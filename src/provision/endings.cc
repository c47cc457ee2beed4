#include "provision/endings.h"

#include "base/try.h"
#include "provision/fault_point.h"
#include "provision/reasons.h"

namespace cordon::provision {
namespace {

using store::Sandbox;
using store::SandboxState;

Sandbox::Memory MemoryOf(Ending::Memory memory) {
  switch (memory) {
    case Ending::Memory::kEnough: return Sandbox::Memory::kEnough;
    case Ending::Memory::kRanOut: return Sandbox::Memory::kRanOut;
    case Ending::Memory::kUnknown: break;
  }
  return Sandbox::Memory::kUnknown;
}

constexpr std::size_t kMostLines = 16 * 1024;  // bytes; as Ending says, but a driver may err

void Keep(Sandbox& sandbox, const Ending& ending) {
  sandbox.exit_status = ending.exit_status;
  sandbox.memory = MemoryOf(ending.memory);
  const std::size_t size = ending.last_lines.size();
  sandbox.last_lines =
      size <= kMostLines ? ending.last_lines : ending.last_lines.substr(size - kMostLines);
  if (sandbox.memory == Sandbox::Memory::kRanOut && sandbox.reason == reasons::kDied) {
    sandbox.reason = reasons::kOutOfMemory;
  }
}

bool WasExamined(const Sandbox& sandbox) {
  return sandbox.exit_status || !sandbox.last_lines.empty() ||
         sandbox.memory != Sandbox::Memory::kUnknown;
}

Error NoDriver(const Sandbox& sandbox) {
  Error error;
  error.code = ErrorCode::kUnsupported;
  error.op = "end";
  error.detail = "there is no driver " + sandbox.driver + " here, which has made the sandbox";
  return error;
}

}  // namespace

Status Endings::Mark(const SandboxId& id, const Why& why) {
  FaultPoint("end.begun");
  TRY(common_.states.Move(id, {SandboxState::kPending, SandboxState::kReady, SandboxState::kPaused},
                          [&](Sandbox& sandbox) {
                            sandbox.state = SandboxState::kTerminating;
                            sandbox.reason = why.reason;
                            sandbox.message = why.message;
                          }));
  common_.activity.Remove(id);
  FaultPoint("end.marked");
  return {};
}

// What the driver knows is written down before it is asked to forget. If it knows nothing, or the
// store cannot take it, the tombstone says less.
void Endings::Examine(const SandboxId& id, Driver& driver) {
  const auto ending = driver.Autopsy(id);
  FaultPoint("end.examined");
  if (!ending) return;
  [[maybe_unused]] const auto kept = common_.states.Move(
      id, {SandboxState::kTerminating}, [&](Sandbox& sandbox) { Keep(sandbox, *ending); });
  FaultPoint("end.kept");
}

Status Endings::FinishHeld(const SandboxId& id) {
  TRY_ASSIGN(const Sandbox sandbox, common_.states.store().FindAnySandbox(id));
  if (sandbox.state != SandboxState::kTerminating) return {};
  const auto driver = common_.DriverOf(sandbox.driver);
  if (!driver) return NoDriver(sandbox);
  if (sandbox.ready && !WasExamined(sandbox)) Examine(id, *driver);
  TRY(driver->Destroy(id));
  FaultPoint("end.destroyed");
  if (sandbox.port) {
    TRY(common_.states.store().ReleasePort(id));
    FaultPoint("end.port_released");
  }
  TRY(common_.states.Move(id, {SandboxState::kTerminating}, [&](Sandbox& last) {
    const bool failed = reasons::IsOfCreation(last.reason);
    last.state = failed ? SandboxState::kFailed : SandboxState::kTerminated;
    last.ended = common_.states.now();
  }));
  FaultPoint("end.recorded");
  return {};
}

Status Endings::Finish(const SandboxId& id) {
  const Turns::Turn turn = common_.turns.Take(id);
  return FinishHeld(id);
}

Result<Activity::Retired> Endings::EndUnused(const SandboxId& id, store::Time before,
                                             const Why& why) {
  const Turns::Turn turn = common_.turns.Take(id);
  const Activity::Retired retired = common_.activity.Retire(id, before);
  if (retired == Activity::Retired::kInUse) return retired;
  FaultPoint("idle.retired");
  if (Status marked = Mark(id, why); !marked) {
    common_.activity.Restore(id);
    if (marked.error().code != ErrorCode::kStaleFile) return std::move(marked.error());
  }
  TRY(FinishHeld(id));
  return retired;
}

Status Endings::Bury(const SandboxId& id, const Why& why) {
  const Turns::Turn turn = common_.turns.Take(id);
  FaultPoint("death.noticed");
  if (Status marked = Mark(id, why); !marked && marked.error().code != ErrorCode::kStaleFile) {
    return marked;
  }
  return FinishHeld(id);
}

}  // namespace cordon::provision
