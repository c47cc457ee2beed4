#include "launch/attendants.h"

#include <utility>

#include "platform/process_table.h"

namespace cordon::launch {

using platform::EndSignal;
using platform::ProcessId;

Attendants::Attendants() {
  if (auto processes = platform::ProcessWatch::Open()) processes_ = std::move(*processes);
}

void Attendants::Reap(Stops stops) {
  while (stops == Stops::kByOthers) {
    const auto stopped = platform::NextStopped();
    if (!stopped) break;
    if (Include(*stopped)) platform::SignalProcess(*stopped, EndSignal::kKill);
  }
  for (;;) {
    const auto reaped = platform::ReapNext();
    if (!reaped || !*reaped) break;
    if (own_.erase((*reaped)->process) != 0 && (*reaped)->signal != 0) sweeping_ = true;
  }
  if (sweeping_) Sweep();
}

void Attendants::Sweep() {
  sweeping_ = false;
  for (const ProcessId child : platform::Children()) {
    if (Include(child)) continue;
    platform::SignalProcess(child, EndSignal::kKill);
    sweeping_ = true;
  }
}

bool Attendants::HoldMemory(std::uint64_t bytes) const {
  if (!processes_ || processes_->Sample().memory <= bytes) return false;
  for (const ProcessId process : platform::Descendants()) {
    if (!Include(process)) platform::SignalProcess(process, EndSignal::kKill);
  }
  return true;
}

}  // namespace cordon::launch
