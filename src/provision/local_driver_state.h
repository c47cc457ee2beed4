// The driver's parts, in the files that share them.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "policy/network_rules.h"
#include "provision/death_watch.h"
#include "provision/disk_watch.h"
#include "provision/driver.h"
#include "provision/local_driver.h"
#include "provision/local_home.h"
#include "sandbox/resident.h"

namespace cordon::provision {

// One that this process has made or adopted.
struct Local {
  std::mutex making;  // held while it is made, adopted or ended
  std::shared_ptr<sandbox::Resident> resident;
  std::unique_ptr<net::EgressProxy> proxy;
};

class LocalDriver final : public Driver {
 public:
  LocalDriver(LocalOptions options, LocalHomes homes)
      : options_(std::move(options)), homes_(std::move(homes)) {}
  ~LocalDriver() override;
  LocalDriver(const LocalDriver&) = delete;
  LocalDriver& operator=(const LocalDriver&) = delete;
  Status Open();

  std::string_view name() const override { return "local"; }
  Status Probe() override;
  Result<Facts> Create(const Terms& terms) override;
  Result<std::vector<Found>> List() override;
  Result<Facts> Adopt(const SandboxId& id) override;
  Status Destroy(const SandboxId& id) override;
  Result<Ending> Autopsy(const SandboxId& id) override;
  Status Pause(const SandboxId& id) override;
  Status Resume(const SandboxId& id) override;
  Result<std::unique_ptr<Exec>> Start(const SandboxId& id, const ExecTerms& terms) override;
  Result<Usage> Inspect(const SandboxId& id) override;
  Status Signal(const SandboxId& id, std::uint32_t process, int signal) override;
  Result<platform::UniqueFd> Connect(const SandboxId& id, std::uint16_t port) override;
  Result<FileAccess> Files(const SandboxId& id) override;
  Status Room(const SandboxId& id, std::uint64_t bytes) override;
  void Watch(OnDeath died) override {
    const std::lock_guard lock(mutex_);
    died_ = std::move(died);
  }

 private:
  std::shared_ptr<Local> LocalOf(const SandboxId& id);
  Result<std::shared_ptr<sandbox::Resident>> Use(const SandboxId& id);
  Result<Facts> Made(const Terms& terms, const policy::NetworkRules& network, const Marker& marker,
                     Local& local);
  Result<Facts> Attached(const SandboxId& id, const policy::NetworkRules& network,
                         const Marker& marker, DiskWatch::Origin origin, Local& local);
  Facts FactsOf(const SandboxId& id, const Marker& marker, const sandbox::Seen& seen) const;
  Status OpenNetwork(const SandboxId& id, const policy::NetworkRules& network, Local& local);
  std::shared_ptr<sandbox::Resident> Held(const SandboxId& id);
  Liveness LivenessOf(const SandboxId& id);
  Status Ended(const SandboxId& id, Local& local);
  void Died(const SandboxId& id);

  // local_disk.cc
  DiskWatch::Hands DiskHands();
  DiskHold HoldOf(const SandboxId& id, std::uint64_t disk) const;
  bool Runs(const SandboxId& id);
  // The one that this process has, when nobody is at it any more.
  std::shared_ptr<sandbox::Resident> Awaited(const SandboxId& id);
  void StopPrograms(const SandboxId& id, std::string_view why);
  void EndFor(const SandboxId& id, std::string_view why);

  const LocalOptions options_;
  const LocalHomes homes_;
  std::mutex mutex_;  // of the two below
  std::map<SandboxId, std::shared_ptr<Local>> locals_;
  OnDeath died_;
  std::shared_ptr<DiskWatch> disks_;
  std::unique_ptr<DeathWatch> deaths_;  // goes first: it tells of the rest
};

}  // namespace cordon::provision
