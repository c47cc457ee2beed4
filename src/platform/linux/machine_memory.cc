#include "platform/machine_memory.h"

#include <cerrno>
#include <fstream>
#include <string>

#include "platform/linux/error_from_errno.h"

namespace cordon::platform {

Result<std::uint64_t> AvailableMemory() {
  std::ifstream lines("/proc/meminfo");
  std::string name, unit;
  std::uint64_t kibibytes = 0;
  while (lines >> name >> kibibytes && std::getline(lines, unit)) {
    if (name == "MemAvailable:") return kibibytes * 1024;
  }
  return ErrorFromErrno("read", ENOENT);
}

}  // namespace cordon::platform
