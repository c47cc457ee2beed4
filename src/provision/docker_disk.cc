// What the Docker driver does about disks: workspaces are directories of the host, so they are
// held there.
#include "base/try.h"
#include "provision/disk_homes.h"
#include "provision/docker_driver_state.h"

namespace cordon::provision {

DiskWatch::Hands DockerDriver::DiskHands() {
  DiskWatch::Hands hands = HandsOnHomes(workspaces_.directory());
  hands.runs = [this](const SandboxId& id) {
    const auto view = Look(id);
    return view && !view->processes.empty();  // what stands still does not run
  };
  hands.stop = [this](const SandboxId& id, std::string_view why) { StopPrograms(id, why); };
  hands.end = [this](const SandboxId& id, std::string_view why) { EndFor(id, why); };
  return hands;
}

void DockerDriver::HoldDisk(const SandboxId& id, std::uint64_t disk, DiskWatch::Origin origin,
                            Facts& facts) {
  // gVisor has no projects. Elsewhere programs are in the host's user namespace, and an owner may
  // give a file to another project: the quota is there, but it is not what holds.
  const auto escape =
      IsGvisorRuntime(settings_.runtime) ? QuotaEscape::kImpossible : QuotaEscape::kPossible;
  facts.resources.disk = disk;
  facts.disk_hold = HoldOfHome(workspaces_.directory(), id, disk, escape);
  disks_->Add(id, disk, facts.disk_hold, origin);
}

void DockerDriver::StopPrograms(const SandboxId& id, std::string_view why) {
  workspaces_.AddToLog(id, "cordon: programs are ended: " + std::string(why) + "\n");
  const auto told = RunTools(id, {"clear"});
  if (told && told->status == 0) return;
  // It stands still already, or is gone; or nothing can be started in it any more.
  if (!told && (told.error().code == ErrorCode::kAlreadyExists ||
                told.error().code == ErrorCode::kNotFound)) {
    return;
  }
  EndFor(id, why);
}

void DockerDriver::EndFor(const SandboxId& id, std::string_view why) {
  workspaces_.AddToLog(id, "cordon: the sandbox is ended: " + std::string(why) + "\n");
  static_cast<void>(api_.Kill(ContainerName(id)));  // if it cannot be, the next look finds it again
}

Status DockerDriver::Room(const SandboxId& id, std::uint64_t bytes) {
  return disks_->Room(id, bytes);
}

}  // namespace cordon::provision
