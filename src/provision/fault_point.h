// Instants at which a test may end the process, to see what is made of what it leaves.
//
// Nothing happens at them, and next to nothing is spent on them, unless
//  - the variable CORDON_FAULT_POINT was set when the process began: it is killed, as by kill -9,
//    at the instant named. "end.destroyed": the first of this name; "end.destroyed:3": the third;
//    "17": the seventeenth of any name;
//  - or a test has set a hook, which is told of every instant.
// Names are of the form operation.what_is_done_by_then.
#pragma once

#include <atomic>
#include <functional>
#include <string_view>

namespace cordon::provision {

extern std::atomic<bool> fault_points_matter;
void ReachFaultPoint(std::string_view name);

// Thread safety: may run concurrently.
inline void FaultPoint(std::string_view name) {
  if (fault_points_matter.load(std::memory_order_relaxed)) ReachFaultPoint(name);
}

// An empty one takes it away. Not while anything runs that has fault points.
void SetFaultHookForTest(std::function<void(std::string_view name)> hook);

}  // namespace cordon::provision
