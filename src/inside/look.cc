#include "inside/look.h"

#include <algorithm>
#include <array>

#include "platform/inside_sandbox.h"
#include "platform/process_table.h"

namespace cordon::inside {
namespace {

constexpr std::size_t kMostProcesses = 4096;

std::vector<std::string_view> Words(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t begin = text.find_first_not_of(" \t"); begin != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_of(" \t", begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = text.find_first_not_of(" \t", end);
  }
  return words;
}

std::vector<std::string_view> Lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string FileText(const std::string& path) {
  return platform::ReadProcFile(path).value_or(std::string());
}

std::string FirstLine(const std::string& text) { return text.substr(0, text.find('\n')); }

// This program at its other tasks. Whoever takes its name hides from this list alone.
bool IsOurs(const platform::ProcessRow& process) {
  return process.program == "cordon-tools" &&
         process.arguments.starts_with("/.cordon/cordon-tools ");
}

void AddProcesses(View& view) {
  for (const platform::ProcessRow& row : platform::ProcessTable(kMostProcesses)) {
    if (IsOurs(row)) continue;
    view.processes.push_back({static_cast<std::uint32_t>(row.process),
                              static_cast<std::uint32_t>(row.parent), row.memory, row.cpu_us / 1000,
                              row.program, row.arguments});
  }
}

// gVisor tells it there alone.
bool RootIsMountedReadOnly() {
  bool read_only = false;
  const std::string mounts = FileText("/proc/mounts");
  for (const std::string_view line : Lines(mounts)) {
    const std::vector<std::string_view> words = Words(line);
    if (words.size() < 4 || words[1] != "/") continue;
    read_only = words[3] == "ro" || words[3].starts_with("ro,");  // the last one counts
  }
  return read_only;
}

void AddOwnState(View& view) {
  constexpr std::array<std::string_view, 5> kSets = {
      "CapEff:", "CapPrm:", "CapInh:", "CapBnd:", "CapAmb:"};
  const std::string status = FileText("/proc/self/status");
  for (const std::string_view line : Lines(status)) {
    const std::vector<std::string_view> words = Words(line);
    if (words.size() != 2) continue;
    if (words[0] == "Seccomp:") view.seccomp = words[1];
    if (std::find(kSets.begin(), kSets.end(), words[0]) == kSets.end()) continue;
    if (!view.capabilities.empty()) view.capabilities += ' ';
    view.capabilities += words[1];
  }
  const platform::Confinement own = platform::OwnConfinement();
  view.user = own.user;
  view.no_new_privileges = own.no_new_privileges;
  view.read_only_root = own.read_only_root || RootIsMountedReadOnly();
  view.kernel_log = FirstLine(own.kernel_log);
}

}  // namespace

View LookAround() {
  View view;
  view.kernel = FirstLine(FileText("/proc/version"));
  AddOwnState(view);
  const std::string devices = FileText("/proc/net/dev");
  for (const std::string_view line : Lines(devices)) {
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    const std::vector<std::string_view> words = Words(line.substr(0, colon));
    if (!words.empty()) view.interfaces.emplace_back(words[0]);
  }
  view.disk = platform::BytesBelow("/workspace");
  view.ports = platform::ListeningPorts();
  AddProcesses(view);
  return view;
}

}  // namespace cordon::inside
