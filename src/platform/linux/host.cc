#include "platform/host.h"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <memory>

#include "base/try.h"
#include "platform/file_stat.h"
#include "platform/linux/error_from_errno.h"

namespace cordon::platform {
namespace {

Result<std::string> CurrentDirectory() {
  std::array<char, PATH_MAX> buffer;
  if (::getcwd(buffer.data(), buffer.size()) == nullptr) return ErrorFromErrno("getcwd", errno);
  return std::string(buffer.data());
}

// The name under which the kernel knows the directory; from /proc where it is
// mounted, else by resolving again and comparing what was found.
Result<std::string> RealPathOf(int directory, const std::string& path) {
  std::array<char, PATH_MAX> buffer;
  const std::string link = "/proc/self/fd/" + std::to_string(directory);
  const ssize_t size = ::readlink(link.c_str(), buffer.data(), buffer.size());
  if (size > 0 && static_cast<std::size_t>(size) < buffer.size() && buffer[0] == '/') {
    return std::string(buffer.data(), static_cast<std::size_t>(size));
  }
  struct Free {
    // NOLINTNEXTLINE(cppcoreguidelines-owning-memory): this is the owner
    void operator()(char* text) const { ::free(text); }
  };
  const std::unique_ptr<char, Free> resolved(::realpath(path.c_str(), nullptr));
  if (!resolved) return ErrorFromErrno("realpath", errno);
  struct stat by_path;
  if (::stat(resolved.get(), &by_path) != 0) return ErrorFromErrno("stat", errno);
  TRY_ASSIGN(const FileStat opened, StatDescriptor(directory));
  if (opened.identity != FileIdentity{by_path.st_dev, by_path.st_ino}) {
    return ErrorFromErrno("realpath", EAGAIN);
  }
  return std::string(resolved.get());
}

Error InvalidHostPath() {
  Error error;
  error.code = ErrorCode::kInvalidPath;
  error.op = "open";
  error.detail = "the path is empty or contains a NUL byte";
  return error;
}

bool IsUsable(std::string_view path) {
  return !path.empty() && path.find('\0') == std::string_view::npos;
}

}  // namespace

Result<HostDirectory> OpenHostDirectory(std::string_view path) {
  if (!IsUsable(path)) return InvalidHostPath();
  const std::string given(path);
  HostDirectory host;
  host.directory = UniqueFd(::open(given.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!host.directory.valid()) return ErrorFromErrno("open", errno);
  TRY_ASSIGN(host.real_path, RealPathOf(host.directory.get(), given));
  if (given.front() == '/') {
    host.spelling = given;
  } else {
    TRY_ASSIGN(host.spelling, CurrentDirectory());
    host.spelling += "/" + given;
  }
  return host;
}

Result<UniqueFd> OpenHostFile(std::string_view path) {
  if (!IsUsable(path)) return InvalidHostPath();
  UniqueFd fd(::open(std::string(path).c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (!fd.valid()) return ErrorFromErrno("open", errno);
  return fd;
}

Result<std::string> OwnProgram() {
  std::array<char, PATH_MAX> buffer;
  const ssize_t length = ::readlink("/proc/self/exe", buffer.data(), buffer.size());
  if (length < 0) return ErrorFromErrno("readlink", errno);
  std::string program(buffer.data(), static_cast<std::size_t>(length));
  // Of a removed program the kernel tells the name with a word after it.
  struct stat found {};
  if (::stat(program.c_str(), &found) != 0) return ErrorFromErrno("stat", errno);
  return program;
}

std::uint64_t RandomNumber() {
  std::uint64_t number = 0;
  // For eight bytes the call neither blocks after boot nor returns fewer; if it
  // cannot work there is no safe way on.
  if (::getrandom(&number, sizeof number, 0) != static_cast<ssize_t>(sizeof number)) ::abort();
  return number;
}

std::vector<std::string> OwnEnvironment() {
  std::vector<std::string> variables;
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
    variables.emplace_back(*variable);
  }
  return variables;
}

}  // namespace cordon::platform
