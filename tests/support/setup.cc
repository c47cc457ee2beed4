#include "tests/support/setup.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace cordon::testing {
namespace {

// An open parent directory and a bare name in it: how every step reaches its place.
struct Place {
  platform::UniqueFd directory;
  std::string name;
};

Place Locate(int start, std::string_view path) {
  Place place{platform::UniqueFd(::openat(start, ".", O_PATH | O_DIRECTORY | O_CLOEXEC)), ""};
  while (place.directory.valid()) {
    while (path.starts_with('/')) path.remove_prefix(1);
    const std::size_t slash = path.find('/');
    place.name = path.substr(0, slash);
    if (slash == std::string_view::npos) return place;
    path.remove_prefix(slash);
    const int parent = place.directory.get();
    ::mkdirat(parent, place.name.c_str(), 0755);
    place.directory.reset(::openat(parent, place.name.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  }
  return place;
}

bool WriteFile(const Place& place, std::string_view content) {
  const platform::UniqueFd file(::openat(place.directory.get(), place.name.c_str(),
                                         O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  if (!file.valid()) return false;
  while (!content.empty()) {
    const ssize_t written = ::write(file.get(), content.data(), content.size());
    if (written <= 0) return false;
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

bool MakeDirectory(const Place& place) {
  if (::mkdirat(place.directory.get(), place.name.c_str(), 0755) == 0) return true;
  return errno == EEXIST;
}

bool MakeCaseFolding(const Place& place) {
  if (!MakeDirectory(place)) return false;
  const platform::UniqueFd directory(
      ::openat(place.directory.get(), place.name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  unsigned flags = 0;
  if (::ioctl(directory.get(), FS_IOC_GETFLAGS, &flags) != 0) return false;
  flags |= FS_CASEFOLD_FL;
  return ::ioctl(directory.get(), FS_IOC_SETFLAGS, &flags) == 0;
}

bool Mount(const Scratch& scratch, const SetupStep& step) {
  const std::string point = scratch.At(step.path);
  if (step.op == "bind") {
    return ::mount(scratch.At(step.target).c_str(), point.c_str(), nullptr, MS_BIND, nullptr) == 0;
  }
  const char* type = step.op == "tmpfs" ? "tmpfs" : "proc";
  return ::mount(type, point.c_str(), type, 0, nullptr) == 0;
}

bool Run(const Scratch& scratch, const SetupStep& step) {
  const Place place = Locate(scratch.descriptor(), step.path);
  if (!place.directory.valid()) return false;
  const int directory = place.directory.get();
  const char* name = place.name.c_str();
  if (step.op == "dir") return MakeDirectory(place);
  if (step.op == "file") return WriteFile(place, step.content);
  if (step.op == "symlink") return ::symlinkat(step.target.c_str(), directory, name) == 0;
  if (step.op == "fifo") return ::mkfifoat(directory, name, 0644) == 0;
  if (step.op == "socket") return ::mknodat(directory, name, S_IFSOCK | 0644, 0) == 0;
  if (step.op == "hardlink") {
    return ::linkat(scratch.descriptor(), step.target.c_str(), directory, name, 0) == 0;
  }
  if (step.op == "casefold_dir") return MakeCaseFolding(place);
  if (step.op == "bind" || step.op == "tmpfs" || step.op == "procfs") return Mount(scratch, step);
  errno = EINVAL;
  return false;
}

void ReplaceAll(std::string& text, std::string_view what, std::string_view with) {
  for (std::size_t at = text.find(what); at != std::string::npos;
       at = text.find(what, at + with.size())) {
    text.replace(at, what.size(), with);
  }
}

}  // namespace

std::string Substitute(std::string text, const std::string& scratch, const std::string& root) {
  ReplaceAll(text, "${SCRATCH}", scratch);
  ReplaceAll(text, "${ROOT}", root);
  return text;
}

std::string Build(const Scratch& scratch, const std::vector<SetupStep>& steps) {
  for (const SetupStep& step : steps) {
    if (Run(scratch, step)) continue;
    return step.op + " " + step.path.substr(0, 200) + ": " + std::strerror(errno);
  }
  return {};
}

std::string BuildCase(const Scratch& scratch, const std::vector<SetupStep>& steps) {
  std::vector<SetupStep> all = {Dir("root"), FileWith("outside/secret", "SECRET")};
  all.insert(all.end(), steps.begin(), steps.end());
  return Build(scratch, all);
}

}  // namespace cordon::testing
