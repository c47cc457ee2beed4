// One program in a sandbox that stays, and the process that looks after it: its warden, the
// place where its orphans go, and the other end of who asked for it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "platform/control_group.h"
#include "platform/syscall_filter.h"
#include "platform/unique_fd.h"
#include "sandbox/resident_message.h"
#include "sandbox/spec.h"

namespace cordon::launch {

struct AttendanceTerms {
  const sandbox::Spec& spec;
  sandbox::LayerSet layers;
  const std::vector<std::string>& environment;    // the sandbox's
  const platform::ControlGroup* group = nullptr;  // that this process is in
  std::span<const platform::FilterInstruction> filter;
  int inner_line = -1;
  sandbox::Execute execute;
  platform::UniqueFd connection;
  std::vector<platform::UniqueFd> streams;
};

// The whole life of that process: until the program and all it left behind have ended, as they
// are supervised as long as they live. Its exit status.
int Attend(AttendanceTerms terms);

}  // namespace cordon::launch
