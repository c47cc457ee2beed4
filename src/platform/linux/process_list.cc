#include "platform/process_list.h"

#include <cerrno>
#include <map>

#include "platform/linux/error_from_errno.h"
#include "platform/linux/process_text.h"

namespace cordon::platform {
namespace {

struct Seen {
  std::int64_t parent = 0;
  std::string stat;
};

std::map<std::int64_t, Seen> DescendantsIn(int processes) {
  std::map<std::int64_t, Seen> seen;
  for (const std::int64_t process : AllProcesses(processes)) {
    std::string text = ReadBelow(processes, std::to_string(process) + "/stat");
    const std::int64_t parent = ParseStat(text).parent();
    seen[process] = {parent, std::move(text)};
  }
  const std::int64_t own = ::getpid();
  // Parents end and numbers are used again, so the way up is bounded.
  const auto descends = [&](std::int64_t process) {
    std::size_t steps = 0;
    for (; process > 0 && steps <= seen.size(); ++steps) {
      if (process == own) return steps > 0;
      const auto found = seen.find(process);
      if (found == seen.end()) return false;
      process = found->second.parent;
    }
    return false;
  };
  std::map<std::int64_t, Seen> below;
  for (auto& [process, what] : seen) {
    if (descends(process)) below[process] = what;
  }
  return below;
}

}  // namespace

std::vector<std::int64_t> Descendants() {
  std::vector<std::int64_t> processes;
  const UniqueFd folder(::open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder.valid()) return processes;
  for (const auto& [process, seen] : DescendantsIn(folder.get())) processes.push_back(process);
  return processes;
}

Result<ProcessWatch> ProcessWatch::Open() {
  UniqueFd folder(::open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder.valid()) return ErrorFromErrno("open", errno);
  UniqueFd own(::openat(folder.get(), "self/io", O_RDONLY | O_CLOEXEC));  // kernels may lack it
  return ProcessWatch(std::move(folder), std::move(own));
}

Usage ProcessWatch::Sample() const {
  Usage usage;
  const std::uint64_t tick_us = TickMicroseconds();
  for (const auto& [process, seen] : DescendantsIn(processes_.get())) {
    const StatFields stat = ParseStat(seen.stat);
    const std::string folder = std::to_string(process);
    const std::string status = ReadBelow(processes_.get(), folder + "/status");
    usage.threads += stat.threads();
    usage.cpu_us += stat.ticks() * tick_us;
    usage.memory += OwnMemory(status);
    usage.written += NumberAfter(ReadBelow(processes_.get(), folder + "/io"), "\nwrite_bytes:");
  }
  return usage;
}

std::uint64_t ProcessWatch::WrittenByEnded() const {
  return NumberAfter(ReadFrom(own_.get()), "\nwrite_bytes:");
}

}  // namespace cordon::platform
