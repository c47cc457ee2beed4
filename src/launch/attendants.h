// Those that look after the programs of a sandbox that stays (attendance.h), and the order among
// the children of its first process.
#pragma once

#include <cstdint>
#include <optional>
#include <set>

#include "platform/child_process.h"
#include "platform/process_list.h"

namespace cordon::launch {

// Whoever looks after a program ends only when nothing of that program is left. So all children
// of the first process are attendants, or orphans of one that was killed: and one that was
// killed, or stopped, from inside takes its whole program with it.
class Attendants {
 public:
  Attendants();
  void Add(platform::ProcessId process) { own_.insert(process); }
  const std::set<platform::ProcessId>& all() const { return own_; }
  bool Include(platform::ProcessId process) const { return own_.contains(process); }
  bool empty() const { return own_.empty(); }

  // What has ended since. kByUs: those that stand still were stopped by us.
  enum class Stops { kByOthers, kByUs };
  void Reap(Stops stops);
  // Whether Reap should be called again soon, although nobody ends.
  bool sweeping() const { return sweeping_; }

  // Ends all programs if they use more than that together; whether it did.
  bool HoldMemory(std::uint64_t bytes) const;

 private:
  void Sweep();
  std::optional<platform::ProcessWatch> processes_;
  std::set<platform::ProcessId> own_;
  bool sweeping_ = false;
};

}  // namespace cordon::launch
