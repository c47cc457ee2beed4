#include "launch/survey.h"

#include <algorithm>

#include "platform/process_table.h"

namespace cordon::launch {
namespace {

constexpr std::size_t kMostProcesses = 500;
constexpr std::size_t kMostPorts = 1000;
constexpr platform::ProcessId kFirst = 1;

sandbox::SeenProcess SeenOf(const platform::ProcessRow& row) {
  sandbox::SeenProcess seen;
  seen.process = static_cast<std::uint32_t>(row.process);
  seen.parent = static_cast<std::uint32_t>(row.parent);
  seen.program = row.program;
  seen.arguments = row.arguments;
  seen.memory = row.memory;
  seen.cpu = std::chrono::milliseconds(row.cpu_us / 1000);
  return seen;
}

}  // namespace

sandbox::Seen Glimpse(const platform::ControlGroup* group) {
  sandbox::Seen seen;
  if (group == nullptr) return seen;
  const platform::GroupEvents events = group->Events();
  seen.memory = events.memory;
  seen.peak_memory = events.peak_memory;
  seen.out_of_memory = events.memory_ends;
  const platform::GroupLimits& held = group->held();
  seen.held = {held.memory, held.processes, held.processors};
  return seen;
}

sandbox::Seen Survey(const std::set<platform::ProcessId>& own,
                     const platform::ControlGroup* group) {
  sandbox::Seen seen = Glimpse(group);
  std::uint64_t memory = 0;
  std::uint64_t cpu_us = platform::UsageOfEnded().cpu_us;
  for (const platform::ProcessRow& row : platform::ProcessTable(kMostProcesses + own.size() + 1)) {
    cpu_us += row.cpu_us;
    if (row.process != kFirst) cpu_us += row.ended_cpu_us;  // of the first: counted already
    memory += row.memory;
    if (row.process == kFirst || own.contains(row.process)) continue;
    if (seen.processes.size() < kMostProcesses) seen.processes.push_back(SeenOf(row));
  }
  seen.cpu = std::chrono::microseconds(cpu_us);
  if (seen.memory == 0) seen.memory = memory;
  seen.peak_memory = std::max(seen.peak_memory, seen.memory);
  seen.ports = platform::ListeningPorts();
  if (seen.ports.size() > kMostPorts) seen.ports.resize(kMostPorts);
  return seen;
}

}  // namespace cordon::launch
