#include "platform/control_group.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "base/try.h"
#include "platform/linux/error_from_errno.h"
#include "platform/linux/process_text.h"

namespace cordon::platform {
namespace {

constexpr const char* kTree = "/sys/fs/cgroup";
constexpr std::string_view kPrefix = "cordon-";
constexpr int kTries = 100;  // milliseconds for the last process on its way out

std::string ReadText(int file) {
  std::array<char, 4096> buffer;
  const ssize_t size = ::pread(file, buffer.data(), buffer.size(), 0);
  return size > 0 ? std::string(buffer.data(), static_cast<std::size_t>(size)) : std::string();
}

UniqueFd OpenText(const std::string& path) {
  return UniqueFd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
}

Status WriteText(const std::string& path, const std::string& text) {
  const UniqueFd file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!file.valid()) return ErrorFromErrno("open", errno);
  if (::write(file.get(), text.data(), text.size()) < 0) return ErrorFromErrno("write", errno);
  return {};
}
Status WriteText(const std::string& path, std::uint64_t value) {
  return WriteText(path, std::to_string(value));
}

// What follows `key` at the beginning of a line.
std::uint64_t ValueOf(const std::string& text, const std::string& key) {
  std::size_t at = text.rfind(key + " ", 0) == 0 ? 0 : text.find("\n" + key + " ");
  if (at == std::string::npos) return 0;
  if (text[at] == '\n') ++at;
  return std::strtoull(text.c_str() + at + key.size(), nullptr, 10);
}

// Where this process is in the tree of `controller`; "" is version 2.
std::optional<std::string> OwnGroup(const std::string& controller) {
  const std::string lines = ReadText(OpenText("/proc/self/cgroup").get());
  for (std::size_t begin = 0; begin < lines.size();) {
    const std::size_t end = std::min(lines.find('\n', begin), lines.size());
    const std::string line = lines.substr(begin, end - begin);
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (second != std::string::npos && line.substr(first + 1, second - first - 1) == controller) {
      return line.substr(second + 1);
    }
    begin = end + 1;
  }
  return std::nullopt;
}

// One that is ending is none, whether somebody waits for it or not: it has no memory any more,
// which goes before its files are closed.
bool IsRunning(int process) {
  if (::kill(process, 0) != 0 && errno == ESRCH) return false;
  const std::string stat = ReadText(OpenText("/proc/" + std::to_string(process) + "/stat").get());
  return stat.empty() || ParseStat(stat).memory() != 0;
}

// Groups of processes that are no more: whoever made them was killed.
void RemoveLeftovers(const std::string& parent, LastProcess last) {
  const int tries = last == LastProcess::kMayBeLeaving ? kTries : 1;
  DIR* directory = ::opendir(parent.c_str());
  if (directory == nullptr) return;
  while (const dirent* entry = ::readdir(directory)) {
    std::string_view name = entry->d_name;
    if (!name.starts_with(kPrefix)) continue;
    name.remove_prefix(kPrefix.size());
    int maker = 0;
    std::from_chars(name.data(), name.data() + name.size(), maker);
    if (maker > 0 && !IsRunning(maker)) {
      for (int i = 0; i < tries; ++i) {
        if (::unlinkat(::dirfd(directory), entry->d_name, AT_REMOVEDIR) == 0 || errno != EBUSY) {
          break;
        }
        if (i + 1 < tries) ::usleep(1000);
      }
    }
  }
  ::closedir(directory);
}

// Version 1: where this process is, as far as that can be seen.
std::string OldParent(const std::string& controller) {
  const std::string mounted = std::string(kTree) + "/" + controller;
  const std::string own = mounted + OwnGroup(controller).value_or("/");
  return ::access(own.c_str(), F_OK) == 0 ? own : mounted;  // a container may not see it
}

// Version 2: processes sit in leaves only, so a new group stands beside ours, not in it.
std::optional<std::string> NewParent() {
  const std::optional<std::string> own = OwnGroup("");
  if (!own) return std::nullopt;
  return kTree + own->substr(0, own->rfind('/'));
}

bool IsUnified() { return ::access("/sys/fs/cgroup/cgroup.controllers", F_OK) == 0; }

// Microseconds of `kPeriod` for so many thousandths of a processor.
constexpr std::uint64_t kPeriod = 100000;
std::uint64_t QuotaOf(std::uint64_t processors) { return processors * kPeriod / 1000; }

std::string Name() { return std::string(kPrefix) + std::to_string(::getpid()); }

}  // namespace

Status ControlGroup::MakeFolder(const std::string& parent) {
  const std::string folder = parent + (parent.ends_with('/') ? "" : "/") + Name();
  int made = ::mkdir(folder.c_str(), 0755);
  // One that had our number before us, and was killed; if anybody is in it, it stays.
  if (made != 0 && errno == EEXIST && ::rmdir(folder.c_str()) == 0) {
    made = ::mkdir(folder.c_str(), 0755);
  }
  if (made != 0) return ErrorFromErrno("mkdir", errno);
  folders_.push_back(folder);
  return {};
}

Status ControlGroup::MakeNew(const GroupLimits& limits) {
  const std::optional<std::string> beside = NewParent();
  if (!beside) return ErrorFromErrno("cgroup", ENOSYS);
  const std::string& parent = *beside;
  const std::string enabled = ReadText(OpenText(parent + "/cgroup.subtree_control").get());
  if ((limits.memory != 0 && enabled.find("memory") == std::string::npos) ||
      (limits.processes != 0 && enabled.find("pids") == std::string::npos)) {
    return ErrorFromErrno("cgroup", ENOSYS);
  }
  TRY(MakeFolder(parent));
  const std::string folder = folders_.back() + "/";
  if (limits.memory != 0) {
    TRY(WriteText(folder + "memory.max", limits.memory));
    if (const Status swap = WriteText(folder + "memory.swap.max", 0); !swap) {
    }  // none to limit
    memory_events_ = OpenText(folder + "memory.events");
    peak_ = OpenText(folder + "memory.peak");
    memory_ = OpenText(folder + "memory.current");
    held_.memory = limits.memory;
  }
  if (limits.processes != 0) {
    TRY(WriteText(folder + "pids.max", limits.processes));
    process_events_ = OpenText(folder + "pids.events");
    held_.processes = limits.processes;
  }
  if (limits.processors != 0) {
    std::string quota = std::to_string(QuotaOf(limits.processors));
    quota.append(" ").append(std::to_string(kPeriod));
    if (WriteText(folder + "cpu.max", quota)) held_.processors = limits.processors;
  }
  kind_ = "v2";
  return {};
}

void ControlGroup::LimitOldProcessors(const GroupLimits& limits) {
  if (limits.processors == 0 || !MakeFolder(OldParent("cpu"))) return;
  const std::string folder = folders_.back() + "/";
  if (WriteText(folder + "cpu.cfs_period_us", kPeriod) &&
      WriteText(folder + "cpu.cfs_quota_us", QuotaOf(limits.processors))) {
    held_.processors = limits.processors;
    kind_ += kind_.empty() ? "cpu" : ", cpu";
  }
}

Status ControlGroup::MakeOld(const GroupLimits& limits) {
  if (limits.memory != 0) {
    TRY(MakeFolder(OldParent("memory")));
    const std::string folder = folders_.back() + "/";
    TRY(WriteText(folder + "memory.limit_in_bytes", limits.memory));
    if (const Status swap = WriteText(folder + "memory.memsw.limit_in_bytes", limits.memory);
        !swap) {
    }  // a kernel that does not count swap
    memory_events_ = OpenText(folder + "memory.oom_control");
    peak_ = OpenText(folder + "memory.max_usage_in_bytes");
    memory_ = OpenText(folder + "memory.usage_in_bytes");
    held_.memory = limits.memory;
    kind_ = "memory";
  }
  if (limits.processes != 0) {
    TRY(MakeFolder(OldParent("pids")));
    TRY(WriteText(folders_.back() + "/pids.max", limits.processes));
    process_events_ = OpenText(folders_.back() + "/pids.events");
    held_.processes = limits.processes;
    kind_ += kind_.empty() ? "pids" : ", pids";
  }
  LimitOldProcessors(limits);
  kind_ = "v1 controllers " + kind_;
  return {};
}

Result<ControlGroup> ControlGroup::Make(const GroupLimits& limits) {
  ControlGroup group;
  Status made = IsUnified() ? group.MakeNew(limits) : group.MakeOld(limits);
  if (made) return group;
  group.Remove();
  return std::move(made.error());
}

Status ControlGroup::Add(ProcessId process) const {
  for (const std::string& folder : folders_) {
    TRY(WriteText(folder + "/cgroup.procs", static_cast<std::uint64_t>(process)));
  }
  return {};
}

GroupEvents ControlGroup::Events() const {
  GroupEvents events;
  if (memory_events_.valid()) {
    events.memory_ends = ValueOf(ReadText(memory_events_.get()), "oom_kill");
    events.ended_for_memory = events.memory_ends != 0;
  }
  if (process_events_.valid()) {
    events.refused_processes = ValueOf(ReadText(process_events_.get()), "max") != 0;
  }
  if (memory_.valid()) {
    events.memory = std::strtoull(ReadText(memory_.get()).c_str(), nullptr, 10);
  }
  if (peak_.valid()) {
    events.peak_memory = std::strtoull(ReadText(peak_.get()).c_str(), nullptr, 10);
  }
  return events;
}

void ControlGroup::RemoveAbandoned(LastProcess last) {
  if (IsUnified()) {
    if (const auto parent = NewParent()) RemoveLeftovers(*parent, last);
    return;
  }
  for (const char* controller : {"memory", "pids", "cpu"}) {
    RemoveLeftovers(OldParent(controller), last);
  }
}

void ControlGroup::Remove() {
  for (const std::string& folder : folders_) {
    for (int i = 0; i < kTries && ::rmdir(folder.c_str()) != 0 && errno == EBUSY; ++i) {
      ::usleep(1000);  // its last process is still on its way out
    }
  }
  folders_.clear();
}

}  // namespace cordon::platform
