#include "inside/look.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <set>

#include "platform/directory.h"
#include "platform/host.h"
#include "platform/inside_sandbox.h"
#include "platform/local_socket.h"

namespace cordon::inside {
namespace {

constexpr std::uint64_t kPage = 4096, kTickMs = 10;
constexpr std::string_view kListening = "0A";

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

std::optional<std::uint64_t> Number(std::string_view text, int base) {
  std::uint64_t value = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (failed != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string FileText(const std::string& path) {
  return platform::ReadProcFile(path).value_or(std::string());
}

std::string FirstLine(const std::string& text) { return text.substr(0, text.find('\n')); }

void AddPorts(const std::string& table, std::set<std::uint16_t>& ports) {
  for (const std::string_view line : Lines(table)) {
    const std::vector<std::string_view> words = Words(line);
    if (words.size() < 4 || words[3] != kListening) continue;
    const std::size_t colon = words[1].rfind(':');
    if (colon == std::string_view::npos) continue;
    const auto port = Number(words[1].substr(colon + 1), 16);
    if (port && *port != 0 && *port <= 65535) ports.insert(static_cast<std::uint16_t>(*port));
  }
}

std::optional<View::Process> LookAt(const std::string& folder) {
  const std::string stat = FileText(folder + "/stat");
  const std::size_t name = stat.find('('), name_end = stat.rfind(')');
  if (name == std::string::npos || name_end == std::string::npos || name_end < name) {
    return std::nullopt;
  }
  // From the process's state on.
  const std::vector<std::string_view> words = Words(std::string_view(stat).substr(name_end + 1));
  if (words.size() < 22) return std::nullopt;
  const auto at = [&](std::size_t which) { return Number(words[which], 10).value_or(0); };
  View::Process process;
  process.parent = static_cast<std::uint32_t>(at(1));
  process.cpu_ms = (at(11) + at(12)) * kTickMs;
  process.memory = at(21) * kPage;
  process.program = stat.substr(name + 1, name_end - name - 1);
  process.arguments = FileText(folder + "/cmdline");
  if (process.arguments.ends_with('\0')) process.arguments.pop_back();
  std::replace(process.arguments.begin(), process.arguments.end(), '\0', ' ');
  return process;
}

// This program at its other tasks. Whoever takes its name hides from this list alone.
bool IsOurs(const View::Process& process) {
  return process.program == "cordon-tools" &&
         process.arguments.starts_with("/.cordon/cordon-tools ");
}

void AddProcesses(View& view) {
  auto proc = platform::OpenHostDirectory("/proc");
  if (!proc) return;
  const std::uint32_t own = platform::OwnProcess().value_or(0);
  static_cast<void>(platform::ReadEntries(
      proc->directory.get(), [&](std::string_view name, platform::FileType /*type*/) {
        const auto id = Number(name, 10);
        if (!id || *id == own) return platform::ReadMore::kYes;
        std::string folder = "/proc/";
        folder += name;
        if (auto process = LookAt(folder); process && !IsOurs(*process)) {
          process->id = static_cast<std::uint32_t>(*id);
          view.processes.push_back(std::move(*process));
        }
        return platform::ReadMore::kYes;
      }));
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
  view.read_only_root = own.read_only_root;
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
  std::set<std::uint16_t> ports;
  AddPorts(FileText("/proc/net/tcp"), ports);
  AddPorts(FileText("/proc/net/tcp6"), ports);
  view.ports.assign(ports.begin(), ports.end());
  AddProcesses(view);
  return view;
}

}  // namespace cordon::inside
