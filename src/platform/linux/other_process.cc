#include "platform/other_process.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <climits>
#include <cstdlib>
#include <string_view>

#include "platform/linux/error_from_errno.h"

namespace cordon::platform {
namespace {

constexpr std::uint64_t kPage = 4096;    // or a part of one: pages are never smaller
constexpr std::size_t kUsualPath = 256;  // most paths are shorter
constexpr int kDescriptorsTried = 64;    // where a terminal is looked for
constexpr unsigned kFirstPts = 136, kLastPts = 143;

ssize_t ReadOnce(int thread, std::uint64_t address, char* into, std::size_t size) {
  iovec here = {into, size};
  // NOLINTNEXTLINE(performance-no-int-to-ptr): an address in another process
  iovec there = {reinterpret_cast<void*>(address), size};
  return ::process_vm_readv(thread, &here, 1, &there, 1, 0);
}

std::string Under(int thread, std::string_view what) {
  return std::to_string(thread).append("/").append(what);
}

// The content of a small file of the kernel's.
std::string Content(int proc, const std::string& path) {
  const UniqueFd file(::openat(proc, path.c_str(), O_RDONLY | O_CLOEXEC));
  std::array<char, 8192> buffer;
  if (!file.valid()) return {};
  const ssize_t size = ::read(file.get(), buffer.data(), buffer.size());
  return size > 0 ? std::string(buffer.data(), static_cast<std::size_t>(size)) : std::string();
}

template <typename T>
bool Number(std::string_view text, T& value, int base = 10) {
  const auto begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return false;
  text.remove_prefix(begin);
  return std::from_chars(text.data(), text.data() + text.size(), value, base).ec == std::errc();
}

std::string_view Field(std::string_view status, std::string_view name) {
  const auto at = status.find(name);
  if (at == std::string_view::npos) return {};
  status.remove_prefix(at + name.size());
  return status.substr(0, status.find('\n'));
}

// The seventh field; the second, in brackets, may hold anything.
std::optional<dev_t> TerminalNumber(std::string_view stat) {
  const auto bracket = stat.rfind(") ");
  if (bracket == std::string_view::npos) return std::nullopt;
  stat.remove_prefix(bracket + 2);
  for (int skipped = 0; skipped < 4; ++skipped) {
    const auto space = stat.find(' ');
    if (space == std::string_view::npos) return std::nullopt;
    stat.remove_prefix(space + 1);
  }
  int number = 0;
  if (!Number(stat.substr(0, stat.find(' ')), number) || number == 0) return std::nullopt;
  const auto bits = static_cast<unsigned>(number);
  return makedev((bits >> 8) & 0xfff, (bits & 0xff) | ((bits >> 12) & 0xfff00));
}

bool IsTerminal(int fd, dev_t number) {
  struct stat info;
  return ::fstat(fd, &info) == 0 && S_ISCHR(info.st_mode) && info.st_rdev == number;
}

}  // namespace

int ReadMemory(int thread, std::uint64_t address, std::span<char> into) {
  const ssize_t got = ReadOnce(thread, address, into.data(), into.size());
  if (got < 0) return errno == EFAULT ? -EFAULT : -EPERM;
  return static_cast<std::size_t>(got) == into.size() ? 0 : -EFAULT;
}

int ReadText(int thread, std::uint64_t address, std::string& text) {
  std::array<char, PATH_MAX> buffer;
  std::size_t have = 0;
  while (have < buffer.size()) {
    const std::uint64_t at = address + have;
    const auto to_page_end = static_cast<std::size_t>(kPage - at % kPage);
    const std::size_t most = have == 0 ? kUsualPath : buffer.size() - have;
    const std::size_t wanted = std::min({to_page_end, most, buffer.size() - have});
    const ssize_t got = ReadOnce(thread, at, &buffer[have], wanted);
    if (got <= 0) return errno == EFAULT || got == 0 ? -EFAULT : -EPERM;
    const auto* begin = &buffer[have];
    const auto* end = std::find(begin, begin + got, '\0');
    have += static_cast<std::size_t>(got);
    if (end != begin + got) {
      text.assign(buffer.data(), static_cast<std::size_t>(end - buffer.data()));
      return 0;
    }
  }
  return -ENAMETOOLONG;
}

Result<OtherProcesses> OtherProcesses::Open() {
  UniqueFd proc(::open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!proc.valid()) return ErrorFromErrno("open", errno);
  return OtherProcesses(std::move(proc));
}

UniqueFd OtherProcesses::WorkingDirectory(int thread) const {
  return UniqueFd(::openat(proc_.get(), Under(thread, "cwd").c_str(), O_PATH | O_CLOEXEC));
}

UniqueFd OtherProcesses::Descriptor(int thread, int number) const {
  const std::string path = Under(thread, "fd/").append(std::to_string(number));
  return UniqueFd(::openat(proc_.get(), path.c_str(), O_PATH | O_CLOEXEC));
}

UniqueFd OtherProcesses::Duplicate(int thread, int number) const {
  // A pidfd of a thread that leads no group needs a newer kernel: its group's will do.
  const auto facts = Facts(thread);
  if (!facts) return {};
  const UniqueFd process(static_cast<int>(::syscall(SYS_pidfd_open, facts->thread_group, 0)));
  if (!process.valid()) return {};
  return UniqueFd(static_cast<int>(::syscall(SYS_pidfd_getfd, process.get(), number, 0)));
}

std::optional<ProcessFacts> OtherProcesses::Facts(int thread) const {
  const std::string status = Content(proc_.get(), Under(thread, "status"));
  ProcessFacts facts;
  const std::string_view name = Field(status, "Name:\t");
  if (name.empty() || !Number(Field(status, "\nTgid:"), facts.thread_group)) return std::nullopt;
  if (!Number(Field(status, "\nUmask:"), facts.umask, 8)) return std::nullopt;
  facts.name = name;
  return facts;
}

OtherProcesses::Terminal OtherProcesses::ControllingTerminal(int thread) const {
  const auto number = TerminalNumber(Content(proc_.get(), Under(thread, "stat")));
  if (!number) return {};
  // Rather one it has: a private /dev may count its terminals like another.
  for (int tried = 0; tried < kDescriptorsTried; ++tried) {
    const UniqueFd reference = Descriptor(thread, tried);
    if (!reference.valid() || !IsTerminal(reference.get(), *number)) continue;
    UniqueFd shared = Duplicate(thread, tried);
    if (shared.valid() && (::fcntl(shared.get(), F_GETFL) & O_PATH) == 0 &&
        IsTerminal(shared.get(), *number)) {
      return {std::move(shared), true};
    }
  }
  if (major(*number) < kFirstPts || major(*number) > kLastPts) return {};
  const unsigned index = (major(*number) - kFirstPts) * 256 + minor(*number);
  UniqueFd named(::open(("/dev/pts/" + std::to_string(index)).c_str(), O_PATH | O_CLOEXEC));
  if (!named.valid() || !IsTerminal(named.get(), *number)) return {};
  return {std::move(named), false};
}

}  // namespace cordon::platform
