// What /proc says of a process, taken apart; for the files of this folder.
#pragma once

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "platform/unique_fd.h"

namespace cordon::platform {

inline std::string ReadFrom(int file) {
  std::array<char, 4096> buffer;
  const ssize_t size = file >= 0 ? ::pread(file, buffer.data(), buffer.size(), 0) : -1;
  return size > 0 ? std::string(buffer.data(), static_cast<std::size_t>(size)) : std::string();
}

inline std::string ReadBelow(int directory, const std::string& path) {
  const UniqueFd file(::openat(directory, path.c_str(), O_RDONLY | O_CLOEXEC));
  return ReadFrom(file.get());
}

inline std::uint64_t NumberIn(std::string_view text) {
  std::uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

// The fields of /proc/PID/stat after the name, which may hold anything: state is 0.
struct StatFields {
  std::string_view name;
  std::vector<std::string_view> fields;
  std::uint64_t At(std::size_t index) const {
    return index < fields.size() ? NumberIn(fields[index]) : 0;
  }
  std::int64_t parent() const { return static_cast<std::int64_t>(At(1)); }
  std::uint64_t own_ticks() const { return At(11) + At(12); }
  std::uint64_t ended_ticks() const { return At(13) + At(14); }  // of children waited for
  std::uint64_t ticks() const { return own_ticks() + ended_ticks(); }
  std::uint64_t threads() const { return At(17); }
  std::uint64_t memory() const { return At(20); }  // mapped, in bytes
};

inline StatFields ParseStat(std::string_view text) {
  StatFields stat;
  const std::size_t name_begin = text.find('(');
  const std::size_t name_end = text.rfind(')');
  if (name_begin == std::string_view::npos || name_end == std::string_view::npos) return stat;
  stat.name = text.substr(name_begin + 1, name_end - name_begin - 1);
  text.remove_prefix(name_end + 1);
  for (std::size_t begin = text.find_first_not_of(' '); begin != std::string_view::npos;) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    stat.fields.push_back(text.substr(begin, end - begin));
    begin = text.find_first_not_of(' ', end);
  }
  return stat;
}

// The number after `key` at the beginning of a line.
inline std::uint64_t NumberAfter(std::string_view text, std::string_view key) {
  const std::size_t at = text.find(key);
  if (at == std::string_view::npos) return 0;
  text.remove_prefix(at + key.size());
  const std::size_t begin = text.find_first_of("0123456789");
  return begin == std::string_view::npos ? 0 : NumberIn(text.substr(begin));
}

inline std::uint64_t OwnMemory(std::string_view status) {
  return (NumberAfter(status, "\nRssAnon:") + NumberAfter(status, "\nRssShmem:")) * 1024;
}

inline std::uint64_t TickMicroseconds() {
  return 1000000 / static_cast<std::uint64_t>(::sysconf(_SC_CLK_TCK));
}

inline std::vector<std::int64_t> AllProcesses(int processes) {
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

}  // namespace cordon::platform
