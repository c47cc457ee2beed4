#include "tests/differential/disk.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "tests/support/resolvers.h"
#include "tests/support/scratch.h"
#include "tests/support/setup.h"

namespace cordon::differential {
namespace {

using confine::OpenMode;
using confine::Root;

confine::Root OpenOrDie(const std::string& directory, confine::Resolver resolver) {
  auto options = testing::OptionsOf(policy::Profile::kStrict, resolver);
  auto root = testing::OpenRoot(directory, options);
  if (!root) {
    std::fprintf(stderr, "%s: %s\n", directory.c_str(), testing::Describe(root.error()).c_str());
    std::exit(3);
  }
  return std::move(*root);
}

Reply Refused(const Error& error) { return {false, error.code, "", testing::Describe(error)}; }

Reply From(const Status& status) {
  return status ? Reply{true, {}, "", ""} : Refused(status.error());
}

std::string_view TypeName(platform::FileType type) {
  switch (type) {
    case platform::FileType::kDirectory: return "directory";
    case platform::FileType::kRegular: return "file";
    case platform::FileType::kSymlink: return "link";
    default: return "special";
  }
}

Reply WriteThrough(const Root& root, const std::string& path, OpenMode mode) {
  auto file = root.Open(path, mode);
  if (!file) return Refused(file.error());
  return From(file->Write("new"));
}

Reply List(const Root& root, const std::string& path) {
  auto entries = root.List(path);
  if (!entries) return Refused(entries.error());
  Reply reply{true, {}, "", ""};
  for (const auto& entry : *entries) {
    reply.value += entry.name + " " + std::string(TypeName(entry.type)) + "\n";
  }
  return reply;
}

Reply Stat(const Root& root, const std::string& path, confine::FinalSymlink final) {
  auto stat = root.Stat(path, final);
  if (!stat) return Refused(stat.error());
  return {true, {}, std::string(TypeName(stat->type)), ""};
}

std::string ReadBytes(int directory, const char* name) {
  char buffer[256];
  const platform::UniqueFd file(::openat(directory, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
  const ssize_t got = file.valid() ? ::read(file.get(), buffer, sizeof buffer) : 0;
  return std::string(buffer, got > 0 ? static_cast<std::size_t>(got) : 0);
}

std::string LinkBytes(int directory, const char* name) {
  char buffer[4096];
  const ssize_t got = ::readlinkat(directory, name, buffer, sizeof buffer);
  return std::string(buffer, got > 0 ? static_cast<std::size_t>(got) : 0);
}

}  // namespace

Disk::Disk(std::string scratch, std::string directory, confine::Resolver resolver)
    : scratch_(std::move(scratch)),
      directory_(std::move(directory)),
      fd_(::open(directory_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)),
      root_(OpenOrDie(directory_, resolver)) {}

std::string Disk::Place(std::string text) const {
  if (text.find("${") == std::string::npos) return text;
  return testing::Substitute(std::move(text), scratch_, directory_);
}

std::string Disk::Unplace(std::string text) const {
  if (text.starts_with(directory_)) return "${ROOT}" + text.substr(directory_.size());
  if (text.starts_with(scratch_)) return "${SCRATCH}" + text.substr(scratch_.size());
  return text;
}

bool Disk::Build(const std::vector<Entry>& entries) {
  testing::EmptyDirectory(fd_.get());
  for (const Entry& entry : entries) {
    const char* path = entry.path.c_str();
    bool made = false;
    if (entry.kind == EntryKind::kDirectory) {
      made = ::mkdirat(fd_.get(), path, 0755) == 0;
    } else if (entry.kind == EntryKind::kLink) {
      made = ::symlinkat(Place(entry.text).c_str(), fd_.get(), path) == 0;
    } else {
      const platform::UniqueFd file(
          ::openat(fd_.get(), path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644));
      made = file.valid() && ::write(file.get(), entry.text.data(), entry.text.size()) ==
                                 static_cast<ssize_t>(entry.text.size());
    }
    if (!made) return false;
  }
  return true;
}

Reply Disk::Act(const Step& step) {
  const std::string path = Place(step.path);
  const std::string other = Place(step.other);
  switch (step.op) {
    case Op::kRead: {
      auto content = testing::ReadFile(root_, path);
      return content ? Reply{true, {}, *content, ""} : Refused(content.error());
    }
    case Op::kList: return List(root_, path);
    case Op::kStat: return Stat(root_, path, confine::FinalSymlink::kFollow);
    case Op::kStatLink: return Stat(root_, path, confine::FinalSymlink::kNoFollow);
    case Op::kReadLink: {
      auto text = root_.ReadLink(path);
      if (!text) return Refused(text.error());
      return {true, {}, Unplace(std::move(*text)), ""};
    }
    case Op::kCreate: return WriteThrough(root_, path, OpenMode::kCreate);
    case Op::kCreateExclusive: return WriteThrough(root_, path, OpenMode::kCreateExclusive);
    case Op::kWrite: return WriteThrough(root_, path, OpenMode::kWrite);
    case Op::kReplace: return From(testing::ReplaceFile(root_, path, "new"));
    case Op::kAppend: return From(root_.Append(path, "new"));
    case Op::kMkdir: return From(root_.Mkdir(path));
    case Op::kRemove: return From(root_.Remove(path));
    case Op::kRename: return From(root_.Rename(path, root_, other));
    case Op::kRemoveAll: return From(root_.RemoveAll(path));
    case Op::kMkdirAll: return From(root_.MkdirAll(path));
    case Op::kSymlink: return From(root_.Symlink(other, path));
  }
  return {};
}

void Disk::DumpInto(int directory, const std::string& prefix, std::string& text) const {
  std::vector<std::string> names;
  DIR* stream = ::fdopendir(::openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (stream == nullptr) return;
  while (const dirent* entry = ::readdir(stream)) names.emplace_back(entry->d_name);
  ::closedir(stream);
  std::sort(names.begin(), names.end());
  for (const std::string& name : names) {
    if (name == "." || name == "..") continue;
    struct stat entry = {};
    ::fstatat(directory, name.c_str(), &entry, AT_SYMLINK_NOFOLLOW);
    if (S_ISDIR(entry.st_mode)) {
      text += prefix + name + " directory \n";
      const platform::UniqueFd child(
          ::openat(directory, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
      DumpInto(child.get(), prefix + name + "/", text);
    } else if (S_ISLNK(entry.st_mode)) {
      text += prefix + name + " link " + Unplace(LinkBytes(directory, name.c_str())) + "\n";
    } else {
      text += prefix + name + " file " + ReadBytes(directory, name.c_str()) + "\n";
    }
  }
}

std::string Disk::Dump() const {
  std::string text;
  DumpInto(fd_.get(), "", text);
  return text;
}

}  // namespace cordon::differential
