// A program in a new process, behind what its first moments put around it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cordon/result.h"
#include "platform/child_process.h"
#include "platform/resource_limits.h"
#include "platform/unique_fd.h"

namespace cordon::platform {

struct ProgramTerms {
  std::vector<std::string> candidates;  // paths that may be it, in order
  std::vector<std::string> arguments;   // with its own name first
  std::vector<std::string> environment;
  std::string directory;
  ResourceLimits limits;
  enum class Session { kInherited, kOwn } session = Session::kInherited;
  int terminal =
      -1;  // in a session of its own: becomes its controlling terminal and its three streams
  int inner_line = -1;  // landlock.h
  enum class OutOfMemory { kAsOthers, kFirst } out_of_memory = OutOfMemory::kAsOthers;
  // Run last, in the new process, when it has nothing left to open: puts the system-call
  // filter around it. Answers the listener's descriptor, 0 for none, or -errno.
  std::function<int()> filter;
};

struct StartedProgram {
  ProcessId process = 0;
  UniqueFd listener;  // of the filter; invalid if there is none
};
struct NotStarted {
  enum class Step { kProcess, kLine, kFilter, kProgram } step = Step::kProcess;
  int os_errno = 0;
};
// Guarantees: the program inherits the three standard streams and no other descriptor, and
//   no signal is ignored or held back in it. Answers when it runs, or has failed to.
Result<StartedProgram> StartProgram(const ProgramTerms& terms, NotStarted& why);

}  // namespace cordon::platform
