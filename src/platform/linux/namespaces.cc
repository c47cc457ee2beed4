#include "platform/namespaces.h"

#include <fcntl.h>
#include <linux/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "base/try.h"
#include "platform/file_io.h"
#include "platform/linux/error_from_errno.h"
#include "platform/unique_fd.h"

namespace cordon::platform {
namespace {

Status WriteTo(const std::string& path, const std::string& text) {
  const UniqueFd file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!file.valid()) return ErrorFromErrno("open", errno);
  // One write: the kernel takes a map only whole.
  if (::write(file.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
    return ErrorFromErrno("write", errno);
  }
  return {};
}

std::string ReadOf(const char* path) {
  const UniqueFd file(::open(path, O_RDONLY | O_CLOEXEC));
  std::string text(4096, '\0');
  const ssize_t size = file.valid() ? ::read(file.get(), text.data(), text.size()) : -1;
  text.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
  return text;
}

// Every number that is somebody here, as itself.
std::string IdentityOf(const char* own_map) {
  const std::string lines = ReadOf(own_map);
  std::string identity;
  for (const char* at = lines.c_str(); *at != '\0';) {
    std::array<std::string, 3> numbers;  // inside, outside, how many
    for (std::string& number : numbers) {
      char* end = nullptr;
      number = std::to_string(std::strtoull(at, &end, 10));
      if (end == at) return identity;
      at = end;
    }
    identity += numbers[0] + " " + numbers[0] + " " + numbers[2] + "\n";
  }
  return identity;
}

std::string Alone(std::uint64_t id) {
  const std::string number = std::to_string(id);
  return number + " " + number + " 1\n";
}

}  // namespace

Status MapUsers(std::int64_t process) {
  const std::string folder = "/proc/" + std::to_string(process) + "/";
  if (::geteuid() == 0 && WriteTo(folder + "uid_map", IdentityOf("/proc/self/uid_map")) &&
      WriteTo(folder + "gid_map", IdentityOf("/proc/self/gid_map"))) {
    return {};
  }
  TRY(WriteTo(folder + "setgroups", "deny"));
  TRY(WriteTo(folder + "uid_map", Alone(::geteuid())));
  return WriteTo(folder + "gid_map", Alone(::getegid()));
}

bool NamespacesBoundProcesses() {
  utsname system = {};
  if (::uname(&system) != 0) return false;
  char* end = nullptr;
  const unsigned long version = std::strtoul(system.release, &end, 10);
  const unsigned long part = *end == '.' ? std::strtoul(end + 1, nullptr, 10) : 0;
  return version > 6 || (version == 6 && part >= 14);
}

Status BoundProcesses(int process_files, std::uint64_t most) {
  const UniqueFd file(::openat(process_files, "sys/kernel/pid_max", O_RDWR | O_CLOEXEC));
  if (!file.valid()) return ErrorFromErrno("openat", errno);
  const std::string text = std::to_string(most + kNumbersSpared);
  if (::write(file.get(), text.data(), text.size()) < 0) return ErrorFromErrno("write", errno);
  return {};
}

Status SetHostName(const std::string& name) {
  if (::sethostname(name.data(), name.size()) != 0) return ErrorFromErrno("sethostname", errno);
  return {};
}

Status RaiseLoopback() {
  const UniqueFd socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (!socket.valid()) return ErrorFromErrno("socket", errno);
  ifreq request = {};
  std::memcpy(request.ifr_name, "lo", 3);
  request.ifr_flags = IFF_UP | IFF_RUNNING;
  if (::ioctl(socket.get(), SIOCSIFFLAGS, &request) != 0) return ErrorFromErrno("ioctl", errno);
  return {};
}

}  // namespace cordon::platform
