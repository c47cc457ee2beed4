#include "platform/process_list.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <map>
#include <string>
#include <string_view>

#include "platform/linux/error_from_errno.h"

namespace cordon::platform {
namespace {

std::string ReadFrom(int file) {
  std::array<char, 4096> buffer;
  const ssize_t size = file >= 0 ? ::pread(file, buffer.data(), buffer.size(), 0) : -1;
  return size > 0 ? std::string(buffer.data(), static_cast<std::size_t>(size)) : std::string();
}

std::string ReadBelow(int directory, const std::string& path) {
  const UniqueFd file(::openat(directory, path.c_str(), O_RDONLY | O_CLOEXEC));
  return ReadFrom(file.get());
}

std::uint64_t NumberIn(std::string_view text) {
  std::uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

// The fields of /proc/PID/stat after the name, which may hold anything: state is 0.
struct Stat {
  std::vector<std::string_view> fields;
  std::uint64_t At(std::size_t index) const {
    return index < fields.size() ? NumberIn(fields[index]) : 0;
  }
  std::int64_t parent() const { return static_cast<std::int64_t>(At(1)); }
  std::uint64_t ticks() const { return At(11) + At(12) + At(13) + At(14); }
  std::uint64_t threads() const { return At(17); }
};

Stat ParseStat(std::string_view text) {
  Stat stat;
  const std::size_t name_end = text.rfind(')');
  if (name_end == std::string_view::npos) return stat;
  text.remove_prefix(name_end + 1);
  for (std::size_t begin = text.find_first_not_of(' '); begin != std::string_view::npos;) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    stat.fields.push_back(text.substr(begin, end - begin));
    begin = text.find_first_not_of(' ', end);
  }
  return stat;
}

// The number after `key` at the beginning of a line.
std::uint64_t ValueOf(std::string_view text, std::string_view key) {
  const std::size_t at = text.find(key);
  if (at == std::string_view::npos) return 0;
  text.remove_prefix(at + key.size());
  const std::size_t begin = text.find_first_of("0123456789");
  return begin == std::string_view::npos ? 0 : NumberIn(text.substr(begin));
}

std::vector<std::int64_t> AllProcesses(int processes) {
  std::vector<std::int64_t> all;
  const int again = ::openat(processes, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR* directory = again >= 0 ? ::fdopendir(again) : nullptr;
  if (directory == nullptr) return all;
  while (const dirent* entry = ::readdir(directory)) {
    if (const auto number = NumberIn(entry->d_name); number != 0) {
      all.push_back(static_cast<std::int64_t>(number));
    }
  }
  ::closedir(directory);
  return all;
}

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
  UniqueFd load(::openat(folder.get(), "loadavg", O_RDONLY | O_CLOEXEC));
  return ProcessWatch(std::move(folder), std::move(own), std::move(load));
}

std::optional<std::uint64_t> ProcessWatch::NewestNumber() const {
  const std::string text = ReadFrom(load_.get());  // "0.10 0.20 0.30 1/234 5678\n"
  const std::size_t last = text.rfind(' ');
  if (last == std::string::npos) return std::nullopt;
  return NumberIn(std::string_view(text).substr(last + 1));
}

Usage ProcessWatch::Sample() const {
  Usage usage;
  const auto tick_us = 1000000 / static_cast<std::uint64_t>(::sysconf(_SC_CLK_TCK));
  for (const auto& [process, seen] : DescendantsIn(processes_.get())) {
    const Stat stat = ParseStat(seen.stat);
    const std::string folder = std::to_string(process);
    const std::string status = ReadBelow(processes_.get(), folder + "/status");
    usage.threads += stat.threads();
    usage.cpu_us += stat.ticks() * tick_us;
    usage.memory += (ValueOf(status, "\nRssAnon:") + ValueOf(status, "\nRssShmem:")) * 1024;
    usage.written += ValueOf(ReadBelow(processes_.get(), folder + "/io"), "\nwrite_bytes:");
  }
  return usage;
}

std::uint64_t ProcessWatch::WrittenByEnded() const {
  return ValueOf(ReadFrom(own_.get()), "\nwrite_bytes:");
}

}  // namespace cordon::platform
