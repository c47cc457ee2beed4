#include "launch/limit_watch.h"

#include <algorithm>
#include <utility>

#include "platform/child_process.h"
#include "platform/mount.h"
#include "platform/resource_limits.h"

namespace cordon::launch {

using sandbox::LimitKind;

namespace {

constexpr std::chrono::milliseconds kInterval{50};
constexpr std::uint64_t kPage = 4096;

bool Over(std::uint64_t used, std::uint64_t limit) { return limit != 0 && used > limit; }

}  // namespace

LimitWatch::LimitWatch(const sandbox::Limits& limits, const platform::ControlGroup* group)
    : limits_(limits), group_(group) {
  if (auto processes = platform::ProcessWatch::Open()) processes_ = std::move(*processes);
}

std::optional<std::chrono::milliseconds> LimitWatch::interval() const {
  const bool any = limits_.cpu.count() != 0 || limits_.memory != 0 || limits_.processes != 0 ||
                   limits_.written != 0;
  return any ? std::optional(kInterval) : std::nullopt;
}

std::optional<LimitKind> LimitWatch::CheckGroup() const {
  if (group_ == nullptr) return std::nullopt;
  const platform::GroupEvents events = group_->Events();
  if (events.ended_for_memory) return LimitKind::kMemory;
  if (events.refused_processes) return LimitKind::kProcesses;
  return std::nullopt;
}

// Of ended processes the rest is known already.
std::optional<LimitKind> LimitWatch::Judge(const platform::Usage& usage) const {
  if (Over(usage.memory, limits_.memory)) return LimitKind::kMemory;
  if (Over(usage.threads, limits_.processes)) return LimitKind::kProcesses;
  const auto cpu = std::chrono::microseconds(usage.cpu_us + platform::UsageOfEnded().cpu_us);
  if (limits_.cpu.count() != 0 && cpu > limits_.cpu) return LimitKind::kCpu;
  if (limits_.written != 0 && processes_ &&
      Over(usage.written + processes_->WrittenByEnded(), limits_.written)) {
    return LimitKind::kWritten;
  }
  return std::nullopt;
}

// Looking at every process costs something: nothing is gained where a control group counts,
// or too few were started since the last time to be too many now.
bool LimitWatch::NeedsSample() {
  if (!processes_) return false;
  if (limits_.cpu.count() != 0 || limits_.written != 0) return true;
  if (group_ != nullptr) return false;
  const auto newest = processes_->NewestNumber();
  if (limits_.memory == 0 && newest && *newest >= counted_at_ &&
      counted_ + (*newest - counted_at_) <= limits_.processes) {
    return false;
  }
  counted_at_ = newest.value_or(0);
  return true;
}

std::optional<LimitKind> LimitWatch::Check() {
  if (const auto limit = CheckGroup()) return limit;
  if (!NeedsSample()) return std::nullopt;
  const platform::Usage usage = processes_->Sample();
  peak_ = std::max(peak_, usage.memory);
  counted_ = usage.threads;
  return Judge(usage);
}

std::optional<LimitKind> LimitWatch::CheckEnded() const {
  if (const auto limit = CheckGroup()) return limit;
  return Judge({});
}

std::optional<LimitKind> LimitWatch::NamedBy(int signal) const {
  if (limits_.cpu.count() != 0 && platform::IsCpuLimitSignal(signal)) return LimitKind::kCpu;
  if (limits_.file_size != 0 && platform::IsFileSizeLimitSignal(signal)) {
    return LimitKind::kFileSize;
  }
  return std::nullopt;
}

bool LimitWatch::PrivateSpaceFull() const {
  return limits_.private_space != 0 && platform::FreeSpaceAt("/tmp").value_or(kPage) < kPage;
}

void LimitWatch::Complete(sandbox::Ended& ended) {
  const platform::ChildUsage usage = platform::UsageOfEnded();
  ended.cpu = std::chrono::microseconds(usage.cpu_us);
  ended.peak_memory = std::max(peak_, usage.peak_memory);
  if (group_ != nullptr)
    ended.peak_memory = std::max(ended.peak_memory, group_->Events().peak_memory);
  if (processes_) ended.written = processes_->WrittenByEnded();
}

}  // namespace cordon::launch
