// Sandboxes, as the server has them.
#pragma once

#include <memory>
#include <string_view>

#include "provision/common.h"
#include "provision/endings.h"
#include "provision/health.h"
#include "provision/making.h"
#include "provision/pool.h"
#include "provision/sandboxes.h"
#include "provision/watch.h"

namespace cordon::provision {

class Keeper final : public Sandboxes {
 public:
  Keeper(Parts parts, Policy policy);
  ~Keeper() override;

  // Settles what is there, then starts the threads.
  Status Start();

  Result<store::Sandbox> Begin(const For& whose, const Wish& wish) override;
  Result<store::Sandbox> Create(const For& whose, const Wish& wish) override;
  Result<store::Sandbox> Find(std::string_view user, const SandboxId& id) override;
  Result<std::vector<store::Sandbox>> List(const store::SandboxFilter& filter) override;
  Status End(std::string_view user, const SandboxId& id, std::string_view reason) override;
  Result<store::Sandbox> Pause(std::string_view user, const SandboxId& id) override;
  Result<store::Sandbox> Resume(std::string_view user, const SandboxId& id) override;
  Result<store::Sandbox> Renew(std::string_view user, const SandboxId& id,
                               std::chrono::seconds from_now) override;
  void CheckNow() override;
  Result<Lease> Use(std::string_view user, const SandboxId& id) override;

 private:
  struct Begun {
    store::Sandbox sandbox;
    std::shared_ptr<Making::Job> job;  // null: it is ready
  };
  Result<Begun> BeginOrTake(const For& whose, Wish wish);
  Result<store::Sandbox> Take(const For& whose, const Wish& wish);
  Result<Begun> BeginMaking(const For& whose, const Wish& wish, std::shared_ptr<Driver> driver);
  // Ends the sandbox of `user` that was idle longest. Errors: `full` when there is none to end.
  Status MakeRoom(std::string_view user, const Error& full);
  void ShowActivity(store::Sandbox& sandbox) const;

  // For whoever has the turn.
  Result<store::Sandbox> WakeHeld(const store::Sandbox& sandbox);
  Result<Lease> EnterHeld(std::string_view user, const SandboxId& id);

  Common common_;
  Endings endings_;
  Making making_;
  Health health_;
  Pool pool_;
  Watch watch_;
};

}  // namespace cordon::provision
