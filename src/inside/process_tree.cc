#include "inside/process_tree.h"

#include <algorithm>
#include <string_view>

#include "platform/child_process.h"
#include "platform/directory.h"
#include "platform/host.h"
#include "platform/inside_sandbox.h"

namespace cordon::inside {
namespace {

constexpr int kKill = 9;

bool IsMarked(const std::string& process, const std::string& mark) {
  const auto environment = platform::ReadProcFile("/proc/" + process + "/environ");
  if (!environment) return false;
  std::string_view left = *environment;
  while (!left.empty()) {
    const std::size_t end = std::min(left.find('\0'), left.size());
    if (left.substr(0, end) == mark) return true;
    left.remove_prefix(std::min(end + 1, left.size()));
  }
  return false;
}

std::size_t KillMarked(const std::string& mark) {
  auto proc = platform::OpenHostDirectory("/proc");
  if (!proc) return 0;
  std::size_t count = 0;
  static_cast<void>(platform::ReadEntries(
      proc->directory.get(), [&](std::string_view name, platform::FileType /*type*/) {
        const std::string process(name);
        if (process.find_first_not_of("0123456789") == std::string::npos &&
            IsMarked(process, mark) && platform::SignalNumbered(std::stol(process), kKill)) {
          ++count;
        }
        return platform::ReadMore::kYes;
      }));
  return count;
}

}  // namespace

ProcessTree::ProcessTree() {
  if (platform::AdoptOrphans()) return;
  mark_ = "CORDON_RUN=";
  mark_ += std::to_string(platform::RandomNumber());
}

std::size_t ProcessTree::Kill() const {
  const std::size_t below = platform::SignalDescendants(platform::EndSignal::kKill);
  return below + (mark_.empty() ? 0 : KillMarked(mark_));
}

}  // namespace cordon::inside
