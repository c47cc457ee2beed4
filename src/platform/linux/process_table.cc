#include "platform/process_table.h"

#include <algorithm>

#include "platform/linux/process_text.h"

namespace cordon::platform {
namespace {

constexpr std::size_t kMostArguments = 160;
constexpr std::string_view kListens = "0A";

UniqueFd OpenProcesses() { return UniqueFd(::open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC)); }

std::string Arguments(int processes, const std::string& folder) {
  std::string text = ReadBelow(processes, folder + "/cmdline");
  while (text.ends_with('\0')) text.pop_back();
  std::replace(text.begin(), text.end(), '\0', ' ');
  if (text.size() > kMostArguments) text.resize(kMostArguments);
  return text;
}

std::string_view NextWord(std::string_view& line) {
  const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
  const std::size_t end = std::min(line.find(' ', begin), line.size());
  const std::string_view word = line.substr(begin, end - begin);
  line.remove_prefix(end);
  return word;
}

// "  0: 0100007F:1F90 00000000:0000 0A …"
void CollectPort(std::string_view line, std::vector<std::uint16_t>& ports) {
  NextWord(line);
  const std::string_view local = NextWord(line);
  NextWord(line);
  if (NextWord(line) != kListens) return;
  const std::size_t colon = local.rfind(':');
  if (colon == std::string_view::npos) return;
  std::uint16_t port = 0;
  std::from_chars(local.data() + colon + 1, local.data() + local.size(), port, 16);
  if (port != 0) ports.push_back(port);
}

void CollectPorts(const char* table, std::vector<std::uint16_t>& ports) {
  const UniqueFd file(::open(table, O_RDONLY | O_CLOEXEC));
  std::string text;
  std::array<char, 16384> buffer;
  constexpr std::size_t kMost = 4UL << 20U;
  for (ssize_t size = 1; file.valid() && size > 0 && text.size() < kMost;) {
    size = ::read(file.get(), buffer.data(), buffer.size());
    if (size > 0) text.append(buffer.data(), static_cast<std::size_t>(size));
  }
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    CollectPort(std::string_view(text).substr(begin, end - begin), ports);
    begin = end + 1;
  }
}

}  // namespace

std::vector<ProcessRow> ProcessTable(std::size_t most) {
  std::vector<ProcessRow> table;
  const UniqueFd processes = OpenProcesses();
  if (!processes.valid()) return table;
  std::vector<std::int64_t> all = AllProcesses(processes.get());
  std::sort(all.begin(), all.end());
  const std::uint64_t tick_us = TickMicroseconds();
  for (const std::int64_t process : all) {
    if (table.size() == most) break;
    const std::string folder = std::to_string(process);
    const std::string text = ReadBelow(processes.get(), folder + "/stat");
    const StatFields stat = ParseStat(text);
    if (stat.fields.empty()) continue;  // gone meanwhile
    ProcessRow row;
    row.process = process;
    row.parent = stat.parent();
    row.program = std::string(stat.name);
    row.arguments = Arguments(processes.get(), folder);
    row.memory = OwnMemory(ReadBelow(processes.get(), folder + "/status"));
    row.cpu_us = stat.own_ticks() * tick_us;
    row.ended_cpu_us = stat.ended_ticks() * tick_us;
    row.threads = stat.threads();
    table.push_back(std::move(row));
  }
  return table;
}

std::vector<ProcessId> Children() {
  std::vector<ProcessId> children;
  const UniqueFd processes = OpenProcesses();
  if (!processes.valid()) return children;
  const ProcessId own = ::getpid();
  for (const std::int64_t process : AllProcesses(processes.get())) {
    const std::string text = ReadBelow(processes.get(), std::to_string(process) + "/stat");
    if (ParseStat(text).parent() == own) children.push_back(process);
  }
  return children;
}

std::vector<std::uint16_t> ListeningPorts() {
  std::vector<std::uint16_t> ports;
  CollectPorts("/proc/self/net/tcp", ports);
  CollectPorts("/proc/self/net/tcp6", ports);
  std::sort(ports.begin(), ports.end());
  ports.erase(std::unique(ports.begin(), ports.end()), ports.end());
  return ports;
}

}  // namespace cordon::platform
