// The sandboxes of all users: made, handed out, ended, and found again after a crash. Between the
// store, which says what should be, and the drivers, which know what is.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/sandbox_id.h"
#include "cordon/result.h"
#include "provision/driver.h"
#include "store/records.h"
#include "store/store.h"

namespace cordon::provision {

// Terms without an id, which several sandboxes can share: the pool is made of such.
struct Wish {
  std::string driver;  // "": the first one
  std::string image;
  Resources resources;
  std::vector<std::string> environment;
  std::string network = "none";
  std::optional<Isolation> isolation;  // unset: what the driver gives
  std::optional<std::chrono::seconds> lifetime, idle;
};
std::string Encode(const Wish& wish);  // JSON, the same for equal wishes
Result<Wish> DecodeWish(std::string_view json);

struct Policy {
  std::size_t most_per_user = 20;
  // For one more than that: the one idle longest is ended, or the request is refused.
  enum class Full { kEvictIdle, kRefuse } full = Full::kEvictIdle;
  std::chrono::seconds evictable_after{60};  // without activity
  std::chrono::seconds idle{30 * 60};
  std::chrono::seconds lifetime{24 * 3600};
  std::chrono::seconds provisioning{60};  // longer: failed, and removed
  std::chrono::seconds check{10};         // between looks at what should be alive
  std::chrono::seconds tombstones{7 * 24 * 3600};
  struct Pool {
    Wish wish;
    std::size_t size = 0;
  };
  std::vector<Pool> pools;
};

// Whose it is and what for.
struct For {
  std::string user;
  std::optional<std::string> conversation;
};

// Guarantees: a sandbox is in the store before anything of it exists and until all of it is gone;
//   what Create has returned is ready; when it fails, nothing is left. One user never gets, sees
//   or ends what is another's: that answers as what does not exist.
// Thread safety: all methods may run concurrently.
class Sandboxes {
 public:
  struct Parts {
    std::shared_ptr<store::Store> store;
    std::vector<std::shared_ptr<Driver>> drivers;
    std::function<store::Time()> now;
    // Told of every change of state, after it is in the store; from any thread.
    std::function<void(const store::Sandbox&)> changed;
  };
  // Settles what an earlier process left, before it returns: what is alive is adopted, orphans are
  // removed, what was half made is removed and marked as failed. Then starts the pool and the
  // watch over idleness, lifetime and health.
  static Result<std::unique_ptr<Sandboxes>> Open(Parts parts, Policy policy);
  // Ends the watch; sandboxes go on.
  virtual ~Sandboxes() = default;

  // Pending in the store when it returns; becomes ready or failed.
  // Errors: kInvalidArguments (no such driver, …); kLimitExceeded.
  virtual Result<store::Sandbox> Begin(const For& whose, const Wish& wish) = 0;
  // Waits until it is ready. Errors: also the driver's.
  virtual Result<store::Sandbox> Create(const For& whose, const Wish& wish) = 0;

  virtual Result<store::Sandbox> Find(std::string_view user, const SandboxId& id) = 0;
  virtual Result<std::vector<store::Sandbox>> List(const store::SandboxFilter& filter) = 0;
  // Gone when it returns, but for its tombstone. No error if it has ended already.
  virtual Status End(std::string_view user, const SandboxId& id, std::string_view reason) = 0;
  virtual Result<store::Sandbox> Pause(std::string_view user, const SandboxId& id) = 0;
  virtual Result<store::Sandbox> Resume(std::string_view user, const SandboxId& id) = 0;
  virtual Result<store::Sandbox> Renew(std::string_view user, const SandboxId& id,
                                       std::chrono::seconds from_now) = 0;

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
