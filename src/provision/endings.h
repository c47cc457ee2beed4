// How a sandbox ends: marked in the store, examined, removed by its driver, and kept as a
// tombstone.
#pragma once

#include <string>
#include <string_view>

#include "provision/common.h"

namespace cordon::provision {

struct Why {
  std::string_view reason;  // for machines
  std::string message;      // for people
};

// Thread safety: all methods may run concurrently.
class Endings {
 public:
  explicit Endings(Common& common) : common_(common) {}

  // From now on nobody gets it, and it will be removed, by this process or the next. Errors:
  // kStaleFile when it was marked, or had ended, already.
  Status Mark(const SandboxId& id, const Why& why);

  // Removes one that was marked and writes the tombstone. Nothing happens to others. Errors: the
  // driver's; then it stays marked, to be tried again. Requires that nobody is making it.
  Status Finish(const SandboxId& id);      // waits for its turn
  Status FinishHeld(const SandboxId& id);  // by whoever has its turn

  // Mark and Finish, but only if it is not in use and was not since `before`.
  Result<Activity::Retired> EndUnused(const SandboxId& id, store::Time before, const Why& why);
  // Mark and Finish for what is alive no more.
  Status Bury(const SandboxId& id, const Why& why);

 private:
  void Examine(const SandboxId& id, Driver& driver);

  Common& common_;
};

}  // namespace cordon::provision
