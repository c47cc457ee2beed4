// One look at every sandbox: alive, in time, in use?
#pragma once

#include "provision/common.h"
#include "provision/endings.h"
#include "provision/making.h"

namespace cordon::provision {

// Errors are not told to anybody: what could not be done is tried again at the next look.
// Thread safety: all methods may run concurrently.
class Health {
 public:
  Health(Common& common, Endings& endings, Making& making)
      : common_(common), endings_(endings), making_(making) {}

  // Everything below, once.
  void Look();
  // One that its driver says has died.
  void LookAtDead(const SandboxId& id);

  // What was in use since it was last written down.
  void WriteActivity();

 private:
  void CompareWith(Driver& driver);
  void CheckAlive(const store::Sandbox& sandbox, const Found* found, Driver& driver);
  void EndIdleAndExpired();
  void RestWhenIdle(const store::Sandbox& sandbox, store::Time now);
  void PauseUnused(const store::Sandbox& sandbox, store::Time before);
  void TryAgain();
  std::vector<store::Sandbox> In(std::vector<store::SandboxState> states);

  Common& common_;
  Endings& endings_;
  Making& making_;
};

}  // namespace cordon::provision
