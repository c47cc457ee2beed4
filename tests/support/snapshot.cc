#include "tests/support/snapshot.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>

#include "platform/unique_fd.h"

namespace cordon::testing {
namespace {

std::string ReadContent(int directory, const char* name) {
  const platform::UniqueFd file(
      ::openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  std::string content;
  char buffer[4096];
  ssize_t got = 0;
  while (file.valid() && (got = ::read(file.get(), buffer, sizeof buffer)) > 0) {
    content.append(buffer, static_cast<std::size_t>(got));
  }
  return content;
}

std::string ReadLinkText(int directory, const char* name) {
  std::string text(8192, '\0');
  const ssize_t got = ::readlinkat(directory, name, text.data(), text.size());
  text.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
  return text;
}

std::string Describe(int directory, const char* name, const struct stat& entry) {
  std::string text = std::to_string(entry.st_mode) + " " + std::to_string(entry.st_uid) + ":" +
                     std::to_string(entry.st_gid) + " ";
  if (S_ISREG(entry.st_mode)) text += ReadContent(directory, name);
  if (S_ISLNK(entry.st_mode)) text += "-> " + ReadLinkText(directory, name);
  return text;
}

void TakeInto(Snapshot& snapshot, int directory, const std::string& prefix, std::string_view skip) {
  const int copy = ::openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (copy < 0) return;
  struct stat self = {};
  const dev_t device = ::fstat(copy, &self) == 0 ? self.st_dev : 0;
  DIR* stream = ::fdopendir(copy);
  while (const dirent* item = ::readdir(stream)) {
    const std::string name = item->d_name;
    if (name == "." || name == ".." || (!skip.empty() && name == skip)) continue;
    struct stat entry = {};
    if (::fstatat(directory, name.c_str(), &entry, AT_SYMLINK_NOFOLLOW) != 0) continue;
    snapshot[prefix + name] = Describe(directory, name.c_str(), entry);
    if (!S_ISDIR(entry.st_mode) || entry.st_dev != device) continue;
    const platform::UniqueFd child(
        ::openat(directory, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (child.valid()) TakeInto(snapshot, child.get(), prefix + name + "/", {});
  }
  ::closedir(stream);
}

}  // namespace

Snapshot Take(int directory, std::string_view skip) {
  Snapshot snapshot;
  TakeInto(snapshot, directory, "", skip);
  return snapshot;
}

Snapshot Take(const std::string& directory, std::string_view skip) {
  const platform::UniqueFd fd(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  return fd.valid() ? Take(fd.get(), skip) : Snapshot{};
}

Difference Compare(const Snapshot& before, const Snapshot& after) {
  Difference difference;
  for (const auto& [path, description] : before) {
    const auto found = after.find(path);
    if (found == after.end()) {
      difference.removed.push_back(path);
    } else if (found->second != description) {
      difference.changed.push_back(path);
    }
  }
  for (const auto& [path, description] : after) {
    if (!before.contains(path)) difference.added.push_back(path);
  }
  return difference;
}

std::string Difference::Text() const {
  std::string text;
  for (const std::string& path : added) text += "+ " + path + "\n";
  for (const std::string& path : removed) text += "- " + path + "\n";
  for (const std::string& path : changed) text += "~ " + path + "\n";
  return text;
}

}  // namespace cordon::testing
