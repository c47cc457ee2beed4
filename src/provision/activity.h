// Which sandboxes are in use, and when they last were. In memory: what is lost with the process is
// only how long they were idle.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "base/sandbox_id.h"
#include "store/records.h"

namespace cordon::provision {

// Guarantees: a sandbox that was retired cannot be entered, one that was entered cannot be
//   retired.
// Thread safety: all methods may run concurrently.
class Activity {
 public:
  using Clock = std::function<store::Time()>;
  explicit Activity(Clock now);

  // From now on it can be entered. A second time: is active now, with another patience.
  void Admit(const SandboxId& id, std::chrono::milliseconds idle);
  void Remove(const SandboxId& id);

  // In use while it lives; it may outlive the Activity. Null: not admitted, or retired.
  std::shared_ptr<void> Enter(const SandboxId& id);

  // Succeeds for one that is not in use and was not since `before`.
  enum class Retired { kYes, kInUse };
  Retired Retire(const SandboxId& id, store::Time before);
  // Takes that back.
  void Restore(const SandboxId& id);

  // When it was last in use; now if it is. Unset: not admitted.
  std::optional<store::Time> LastActive(const SandboxId& id) const;
  // When it will have been idle for as long as it may be.
  std::optional<store::Time> IdleAt(const SandboxId& id) const;
  // Those whose last use was not asked for yet.
  std::vector<std::pair<SandboxId, store::Time>> TakeNews();

 private:
  struct Entry {
    std::size_t uses = 0;
    store::Time last = 0, told = 0;
    std::chrono::milliseconds idle{0};
    bool retired = false;
  };
  struct Table {
    mutable std::mutex mutex;
    std::map<SandboxId, Entry> entries;  // guarded by mutex
  };
  static store::Time LastOf(const Entry& entry, store::Time now);

  Clock now_;
  std::shared_ptr<Table> table_;
};

}  // namespace cordon::provision
