// Limits on all processes of a command together.
#pragma once

#include <chrono>
#include <optional>

#include "platform/control_group.h"
#include "platform/process_list.h"
#include "sandbox/message.h"
#include "sandbox/spec.h"

namespace cordon::launch {

// Samples what no control group counts. Overshoots by what can be used between two samples.
class LimitWatch {
 public:
  // `group`: may be null, else it holds memory and processes to their limits; outlives this.
  LimitWatch(const sandbox::Limits& limits, const platform::ControlGroup* group);

  // How long until Check is due again; none: never.
  std::optional<std::chrono::milliseconds> interval() const;
  // The limit that all processes together are over, if any.
  std::optional<sandbox::LimitKind> Check();
  // The same, when no process is left.
  std::optional<sandbox::LimitKind> CheckEnded() const;
  // The limit whose signal ended a process, if one did.
  std::optional<sandbox::LimitKind> NamedBy(int signal) const;
  // Nothing more fits into the private directories.
  bool PrivateSpaceFull() const;

  // When all processes have been waited for.
  void Complete(sandbox::Ended& ended);

 private:
  std::optional<sandbox::LimitKind> CheckGroup() const;
  bool NeedsSample();
  std::optional<sandbox::LimitKind> Judge(const platform::Usage& usage) const;
  const sandbox::Limits limits_;
  const platform::ControlGroup* group_;
  std::optional<platform::ProcessWatch> processes_;
  std::uint64_t peak_ = 0;
  std::uint64_t counted_ = 0;     // threads in the last sample,
  std::uint64_t counted_at_ = 0;  // and the newest number then
};

}  // namespace cordon::launch
