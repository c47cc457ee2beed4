// The sandboxes of all users: made, handed out, ended, and found again after a crash. Between the
// store, which says what should be, and the drivers, which know what is.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/sandbox_id.h"
#include "cordon/result.h"
#include "provision/driver.h"
#include "provision/wish.h"
#include "store/records.h"
#include "store/store.h"

namespace cordon::provision {

struct Policy {
  std::size_t most_per_user = 20;
  // For one more than that: the one idle longest is ended, or the request is refused.
  enum class Full { kEvictIdle, kRefuse } full = Full::kEvictIdle;
  std::chrono::seconds evictable_after{60};  // without activity
  std::chrono::seconds idle{30 * 60};        // at most; a wish may ask for less
  enum class Idle { kEnd, kPause } when_idle = Idle::kEnd;
  std::chrono::seconds lifetime{24 * 3600};  // at most, from when it was handed out or renewed
  std::chrono::seconds provisioning{60};     // longer: failed, and removed; noticed at a look
  std::chrono::seconds check{10};            // between looks at what should be alive
  std::chrono::seconds tombstones{7 * 24 * 3600};
  struct Pool {
    Wish wish;
    std::size_t size = 0;
  };
  std::vector<Pool> pools;
  // The pool is not filled when this, and the memory its sandboxes may use, is not free.
  std::uint64_t keep_free = 512u << 20;
};

// Whose it is and what for.
struct For {
  std::string user;
  std::optional<std::string> conversation;
};

// Guarantees: a sandbox is in the store before anything of it exists and until all of it is gone;
//   what Create has returned is ready; when it fails, nothing is left. One user never gets, sees
//   or ends what is another's: that answers as what does not exist.
// Does not guarantee: anything when two of them have one store, or drivers with the same marks.
//   Whoever opens one holds a lock.
// Thread safety: all methods may run concurrently.
class Sandboxes {
 public:
  struct Parts {
    std::shared_ptr<store::Store> store;
    std::vector<std::shared_ptr<Driver>> drivers;
    std::function<store::Time()> now;
    // Told of every change of state, after it is in the store; from any thread, in order for each
    // sandbox. Must not call back. May be empty.
    std::function<void(const store::Sandbox&)> changed;
    // Bytes that the machine could still give. Empty: asks the system.
    std::function<std::uint64_t()> free_memory;
  };
  // Settles what an earlier process left, before it returns: what is alive is adopted, orphans are
  // removed, what was half made is removed and marked as failed, conversations that it did not
  // come to found are forgotten. Asks the system for as many open files as this process may have.
  // Then starts the pool and the watch over idleness, lifetime and
  // health. Errors: those of the store, and of a driver that cannot say what it has.
  static Result<std::unique_ptr<Sandboxes>> Open(Parts parts, Policy policy);
  // Ends the watch and waits for what the drivers are doing; sandboxes go on.
  virtual ~Sandboxes() = default;

  // Pending in the store when it returns; becomes ready or failed.
  // Errors: kInvalidArguments (no such driver, …); kLimitExceeded.
  virtual Result<store::Sandbox> Begin(const For& whose, const Wish& wish) = 0;
  // Waits until it is ready. Errors: also the driver's.
  virtual Result<store::Sandbox> Create(const For& whose, const Wish& wish) = 0;

  virtual Result<store::Sandbox> Find(std::string_view user, const SandboxId& id) = 0;
  virtual Result<std::vector<store::Sandbox>> List(const store::SandboxFilter& filter) = 0;
  // Gone when it returns, but for its tombstone. No error if it has ended already. When the driver
  // fails, it is tried again at every look.
  virtual Status End(std::string_view user, const SandboxId& id, std::string_view reason) = 0;
  virtual Result<store::Sandbox> Pause(std::string_view user, const SandboxId& id) = 0;
  virtual Result<store::Sandbox> Resume(std::string_view user, const SandboxId& id) = 0;
  virtual Result<store::Sandbox> Renew(std::string_view user, const SandboxId& id,
                                       std::chrono::seconds from_now) = 0;
  // One look at everything, as the watch has every Policy::check; returns when what it found to do
  // is done.
  virtual void CheckNow() = 0;

  // A sandbox in use: while it lives, the sandbox is not idle and not evicted.
  struct Lease {
    store::Sandbox sandbox;
    std::shared_ptr<Driver> driver;
    std::shared_ptr<void> activity;
  };
  // Resumes it if it was paused for idleness. Errors: kSandboxRequired, the same for none, for
  // somebody else's, and for one that is not ready.
  virtual Result<Lease> Use(std::string_view user, const SandboxId& id) = 0;
};

}  // namespace cordon::provision
