// What the local driver does about disks.
#include "base/try.h"
#include "provision/disk_homes.h"
#include "provision/local_driver_state.h"

namespace cordon::provision {

using sandbox::Resident;

DiskWatch::Hands LocalDriver::DiskHands() {
  DiskWatch::Hands hands = HandsOnHomes(homes_.directory());
  hands.runs = [this](const SandboxId& id) { return Runs(id); };
  hands.stop = [this](const SandboxId& id, std::string_view why) { StopPrograms(id, why); };
  hands.end = [this](const SandboxId& id, std::string_view why) { EndFor(id, why); };
  return hands;
}

DiskHold LocalDriver::HoldOf(const SandboxId& id, std::uint64_t disk) const {
  // Programs have a user namespace, and the filter refuses to change a file's project.
  return HoldOfHome(homes_.directory(), id, disk, QuotaEscape::kImpossible);
}

bool LocalDriver::Runs(const SandboxId& id) {
  const std::shared_ptr<Resident> resident = Held(id);
  if (!resident) return true;  // somebody is at it
  const auto seen = resident->Inspect();
  if (!seen) return seen.error().code != ErrorCode::kNotFound;
  return seen->state == sandbox::Seen::State::kRunning && !seen->processes.empty();
}

std::shared_ptr<Resident> LocalDriver::Awaited(const SandboxId& id) {
  std::shared_ptr<Local> local;
  {
    const std::lock_guard lock(mutex_);
    const auto found = locals_.find(id);
    if (found == locals_.end()) return nullptr;
    local = found->second;
  }
  const std::lock_guard lock(local->making);
  return local->resident;
}

void LocalDriver::StopPrograms(const SandboxId& id, std::string_view why) {
  const std::shared_ptr<Resident> resident = Awaited(id);
  if (!resident) return;
  homes_.AddToLog(id, "cordon: programs are ended: " + std::string(why) + "\n");
  const Status cleared = resident->Clear();
  // One that cannot be told to, of an older version perhaps, must not go on.
  if (!cleared && cleared.error().code != ErrorCode::kNotFound) EndFor(id, why);
}

void LocalDriver::EndFor(const SandboxId& id, std::string_view why) {
  const std::shared_ptr<Resident> resident = Awaited(id);
  if (!resident) return;
  homes_.AddToLog(id, "cordon: the sandbox is ended: " + std::string(why) + "\n");
  static_cast<void>(resident->End());  // if it cannot be, the next look finds it again
}

Status LocalDriver::Room(const SandboxId& id, std::uint64_t bytes) {
  TRY(Use(id));  // known from here on
  return disks_->Room(id, bytes);
}

}  // namespace cordon::provision
