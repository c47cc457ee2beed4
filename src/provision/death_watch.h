// Waits, in one thread for all, until descriptors say that what they stand for has gone.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <thread>

#include "base/sandbox_id.h"
#include "cordon/result.h"
#include "platform/pipe.h"

namespace cordon::provision {

// Guarantees: told once for each; not at all after Forget has returned.
// Thread safety: all methods may run concurrently; Forget not from within `died`.
class DeathWatch {
 public:
  using OnDeath = std::function<void(const SandboxId& id)>;
  static Result<std::unique_ptr<DeathWatch>> Start(OnDeath died);
  ~DeathWatch();

  // `gone`: readable, or hung up, when it has gone; open until it is forgotten.
  void Add(const SandboxId& id, int gone);
  void Forget(const SandboxId& id);

 private:
  DeathWatch(platform::Pipe wake, OnDeath died);
  void Run(const std::stop_token& stop);
  void Wake();

  const platform::Pipe wake_;
  const OnDeath died_;
  std::mutex mutex_;
  std::map<SandboxId, int> watched_;
  std::recursive_mutex telling_;  // held while `died` runs
  std::jthread thread_;
};

}  // namespace cordon::provision
