// A server in a process of its own, with a home of its own.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "platform/unique_fd.h"

namespace cordon::testing {

// Guarantees: the process is waited for at the end, by force if closing its input does
//   not end it. Not for several threads.
class ServedProcess {
 public:
  // Aborts the program if there are no pipes or no process. `home` is where it keeps its state.
  ServedProcess(const std::vector<std::string>& command, const std::string& home);
  ServedProcess(const ServedProcess&) = delete;
  ServedProcess& operator=(const ServedProcess&) = delete;
  ~ServedProcess();

  int input() const { return input_.get(); }    // what it reads
  int output() const { return output_.get(); }  // what it writes
  // The first line it writes; "" if it ends before.
  std::string FirstLine() const;
  // Closes its input, sends `signal` unless it is 0, waits: the status, or -1 if it had to be
  // killed.
  int End(int signal = 0);

 private:
  pid_t process_ = -1;
  platform::UniqueFd input_, output_;
};

}  // namespace cordon::testing
