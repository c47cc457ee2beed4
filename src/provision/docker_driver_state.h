// The driver's parts, in the files that share them.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "inside/look.h"
#include "provision/disk_watch.h"
#include "provision/docker_api.h"
#include "provision/docker_container.h"
#include "provision/docker_exec.h"
#include "provision/docker_relay.h"
#include "provision/docker_watch.h"
#include "provision/docker_workspace.h"
#include "provision/driver.h"

namespace cordon::provision {

class DockerDriver final : public Driver {
 public:
  DockerDriver(const DockerSettings& settings, DockerWorkspaces workspaces, std::uint32_t user);
  ~DockerDriver() override;
  DockerDriver(const DockerDriver&) = delete;
  DockerDriver& operator=(const DockerDriver&) = delete;

  std::string_view name() const override { return name_; }
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
  Result<std::unique_ptr<ToolStream>> Tools(const SandboxId& id) override;
  void Watch(OnDeath died) override;

 private:
  // For what makes and removes: one at a time for each id.
  std::shared_ptr<std::mutex> LockOf(const SandboxId& id);
  HostPlaces PlacesOf(const SandboxId& id) const;
  Status Remove(const SandboxId& id);
  Result<Facts> Build(const ContainerPlan& plan);
  Result<Facts> ReadBack(const ContainerPlan& plan);
  // A task of our own program in there, to its end.
  struct Told {
    int status = 0;
    std::string output;
  };
  struct Task {
    std::string exec;
    std::shared_ptr<DockerStream> streams;  // end when the sandbox does
  };
  // Errors: as DockerApi::Exec.
  Result<Task> BeginTask(const SandboxId& id, const std::vector<std::string>& arguments);
  // One that goes on. Errors: kSandboxRequired when it does not run.
  Result<std::shared_ptr<DockerStream>> StartTools(const SandboxId& id, const std::string& task);
  Result<Told> RunTools(const SandboxId& id, const std::vector<std::string>& arguments);
  Result<inside::View> Look(const SandboxId& id);
  // Errors: kNotFound, also when it has ended.
  Status ExpectRunning(const SandboxId& id);
  void Died(const SandboxId& id);
  // For what is begun in a sandbox: its death may be told before there is anything to end.
  std::uint64_t Deaths();
  Status ExpectNoDeathSince(std::uint64_t deaths, const SandboxId& id);
  // Of all sandboxes: engines forget to end them.
  void HangUpTools();
  DockerWatch& Watcher();

  // docker_disk.cc
  DiskWatch::Hands DiskHands();
  // Told in the facts.
  void HoldDisk(const SandboxId& id, std::uint64_t disk, DiskWatch::Origin origin, Facts& facts);
  void StopPrograms(const SandboxId& id, std::string_view why);
  void EndFor(const SandboxId& id, std::string_view why);

  Result<DockerRelay*> Relay();

  const DockerSettings settings_;
  const std::string name_;
  const std::string label_;  // of this server's own
  const std::uint32_t user_;
  const DockerWorkspaces workspaces_;
  const DockerApi api_;

  std::mutex mutex_;
  OnDeath died_;
  std::map<SandboxId, std::weak_ptr<std::mutex>> making_;
  std::multimap<SandboxId, std::weak_ptr<DockerExec>> running_;
  std::multimap<SandboxId, std::weak_ptr<DockerStream>> tools_;
  std::uint64_t deaths_ = 0;  // that were told
  std::unique_ptr<DockerRelay> relay_;
  std::shared_ptr<DiskWatch> disks_;
  std::unique_ptr<DockerWatch> watch_;  // last: it calls into the rest
};

}  // namespace cordon::provision
