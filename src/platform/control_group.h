// Processes that are counted together.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cordon/result.h"
#include "platform/child_process.h"
#include "platform/unique_fd.h"

namespace cordon::platform {

// 0: not limited, and the controller for it is not asked for.
struct GroupLimits {
  std::uint64_t memory = 0;  // bytes, of all its processes and their files in memory
  std::uint64_t processes = 0;
  std::uint64_t processors = 0;  // thousandths of one; left out where there is no controller
};

// What happened in it so far.
struct GroupEvents {
  bool ended_for_memory = false;   // a process was
  std::uint64_t memory_ends = 0;   // how many were
  bool refused_processes = false;  // one could not be started
  std::uint64_t memory = 0;        // bytes now; 0: not known
  std::uint64_t peak_memory = 0;   // 0: not known
};

// Of a group that was left behind.
enum class LastProcess { kIsGone, kMayBeLeaving };

// Guarantees: Events needs nothing that was not opened by Make, so that it works in a
//   process that can open nothing any more.
// Does not guarantee: that the group goes when this process is killed. RemoveAbandoned takes away
//   what others, who were, left behind.
class ControlGroup {
 public:
  // Version 2 where this process's own part of the tree has the controllers, else version 1.
  // Errors: kUnsupported, kPermissionDenied and the like when neither can be had.
  static Result<ControlGroup> Make(const GroupLimits& limits);
  ControlGroup(ControlGroup&&) noexcept = default;
  ControlGroup& operator=(ControlGroup&&) noexcept = default;

  Status Add(ProcessId process) const;
  GroupEvents Events() const;
  // When its last process has ended.
  void Remove();
  // Takes away what others left behind who were killed. Looks at every group that there is.
  static void RemoveAbandoned(LastProcess last);
  const GroupLimits& held() const { return held_; }
  // "v1 controllers memory, pids"
  const std::string& kind() const { return kind_; }

 private:
  ControlGroup() = default;
  Status MakeOld(const GroupLimits& limits);
  Status MakeNew(const GroupLimits& limits);
  void LimitOldProcessors(const GroupLimits& limits);
  Status MakeFolder(const std::string& parent);
  std::vector<std::string> folders_;
  UniqueFd memory_events_, process_events_, peak_, memory_;
  GroupLimits held_;
  std::string kind_;
};

}  // namespace cordon::platform
