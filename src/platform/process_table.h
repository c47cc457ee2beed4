// What can be told of the processes that can be seen here, and of who listens.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "cordon/result.h"
#include "platform/child_process.h"

namespace cordon::platform {

struct ProcessRow {
  ProcessId process = 0, parent = 0;
  std::string program;             // as the kernel calls it
  std::string arguments;           // joined by spaces, cut
  std::uint64_t memory = 0;        // bytes that are not of files
  std::uint64_t cpu_us = 0;        // its own
  std::uint64_t ended_cpu_us = 0;  // of children it waited for, and theirs
  std::uint64_t threads = 0;
};
// At most `most`, in the order of their numbers. Processes that start or end meanwhile are in
// it or not.
std::vector<ProcessRow> ProcessTable(std::size_t most);

// Those whose parent this process is.
std::vector<ProcessId> Children();

// TCP ports of this network namespace that something listens on; sorted, each once.
std::vector<std::uint16_t> ListeningPorts();

}  // namespace cordon::platform
