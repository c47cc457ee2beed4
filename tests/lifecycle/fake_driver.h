// A driver whose sandboxes are files in a directory: they outlive the process, as real ones do,
// and are made in steps that a kill can fall between.
#pragma once

#include <atomic>
#include <condition_variable>
#include <map>
#include <mutex>
#include <string>

#include "provision/driver.h"

namespace cordon::provision {

class FakeDriver final : public Driver {
 public:
  // `directory` must exist; several drivers, of several processes too, may have the same.
  explicit FakeDriver(std::string directory, std::string name = "fake");

  // How it behaves from now on.
  struct Manners {
    enum class Creation { kWorks, kFails, kHangs, kFailsDirty } creation = Creation::kWorks;
    std::chrono::milliseconds slowness{0};
    enum class Rest {
      kWorks,
      kFails
    } destroy = Rest::kWorks,
      pause = Rest::kWorks, adopt = Rest::kWorks, list = Rest::kWorks;
  };
  void Behave(const Manners& manners);  // lets go of what hangs
  // So many creations are under way.
  void AwaitCreations(std::size_t count);

  // The sandbox ends by itself.
  enum class Telling { kTold, kUnnoticed };
  void Die(const SandboxId& id, const Ending& ending, Telling telling);
  // Gone, as after a reboot.
  void Vanish(const SandboxId& id);

  std::size_t created() const { return created_; }  // so far, by this one
  std::size_t adopted() const { return adopted_; }

  std::string_view name() const override { return name_; }
  Status Probe() override { return {}; }
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
  void Watch(OnDeath died) override;

 private:
  std::string At(const SandboxId& id) const;
  // "half", "running", "paused", "dead"; "" when there is none.
  std::string Read(const SandboxId& id) const;
  void Write(const SandboxId& id, const std::string& state) const;
  Status MoveTo(const SandboxId& id, const std::string& from, const std::string& to);

  const std::string directory_, name_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  Manners manners_;            // guarded by mutex_, all of these
  std::uint64_t behaved_ = 0;  // how often
  std::size_t under_way_ = 0;
  std::map<SandboxId, Ending> endings_;
  OnDeath died_;
  std::atomic<std::size_t> created_ = 0, adopted_ = 0;
};

}  // namespace cordon::provision
