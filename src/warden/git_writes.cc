#include "warden/git_writes.h"

#include <cerrno>

#include "platform/directory.h"
#include "platform/file_io.h"
#include "platform/file_stat.h"
#include "platform/host.h"
#include "platform/open.h"
#include "platform/private_file.h"
#include "warden/case.h"
#include "warden/git_config.h"
#include "warden/git_paths.h"

namespace cordon::warden {
namespace {

using platform::ActForProcess;
using platform::FileType;
using platform::OpenIntent;
using platform::UniqueFd;

constexpr std::size_t kMostBytes = std::size_t{1} << 20;
constexpr int kMostLevels = 64;  // that are climbed to find a repository

std::string WholeFile(int fd) {
  const auto stat = platform::StatDescriptor(fd);
  if (!stat || stat->type != FileType::kRegular || stat->size > kMostBytes) return {};
  std::string content(static_cast<std::size_t>(stat->size), '\0');
  std::size_t have = 0;
  while (have < content.size()) {
    const auto got = platform::ReadAt(fd, have, {&content[have], content.size() - have});
    if (!got || *got == 0) break;
    have += *got;
  }
  content.resize(have);
  return content;
}

std::string Trimmed(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  return text;
}

std::string ParentOf(const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == 0 || slash == std::string::npos ? "/" : path.substr(0, slash);
}

bool IsDirectory(const ActForProcess& acts, int root, const std::string& path) {
  const auto found = acts.LookUp(root, path.c_str(), platform::NamedPath::FinalLink::kTake,
                                 ActForProcess::NoLinks());
  if (found.os_errno != 0) return false;
  const auto stat = platform::StatDescriptor(found.fd.get());
  return stat && stat->type == FileType::kDirectory;
}

// The `.git` directory that serves `directory`: of a worktree that of the main one.
std::string RepositoryOf(const ActForProcess& acts, int root, std::string directory) {
  for (int level = 0; level < kMostLevels; ++level) {
    std::string git = directory == "/" ? "/.git" : directory + "/.git";
    if (IsDirectory(acts, root, git)) return git;
    const std::string file = Trimmed(SmallFile(acts, root, git));
    if (file.starts_with("gitdir: /")) {
      const auto own = file.find("/.git/worktrees/");
      return own == std::string::npos ? "" : file.substr(8, own + 5 - 8);
    }
    if (directory == "/") break;
    directory = ParentOf(directory);
  }
  return {};
}

std::string WorktreeFile(const ActForProcess& acts, int root, const std::string& holder,
                         const std::string& working) {
  const std::string git = RepositoryOf(acts, root, working);
  if (git.empty()) return {};
  const auto worktrees =
      acts.LookUp(root, (git + "/worktrees").c_str(), platform::NamedPath::FinalLink::kTake,
                  ActForProcess::NoLinks());
  if (worktrees.os_errno != 0) return {};
  const auto listed = platform::ReopenDirectory(worktrees.fd.get());
  if (!listed) return {};
  std::string expected;
  const auto read = platform::ReadEntries(listed->get(), [&](std::string_view name, FileType) {
    const std::string own = git + "/worktrees/" + std::string(name);
    std::string claimed = Trimmed(SmallFile(acts, root, own + "/gitdir"));
    if (!claimed.empty() && !claimed.starts_with('/')) claimed = Normal(own + "/" + claimed);
    if (claimed != holder + "/.git") return platform::ReadMore::kYes;
    expected = "gitdir: " + own + "\n";
    return platform::ReadMore::kStop;
  });
  return read ? expected : "";
}

// What a `.git` file says of the module `name` of the repository `git`.
std::string PointerTo(std::string_view git, std::string_view name) {
  std::string text = "gitdir: ";
  text.append(git).append("/modules/").append(name).append("\n");
  return text;
}

// From the directory `from`, as git writes it; both absolute and normal.
std::string RelativePath(const std::string& from, const std::string& to) {
  std::string above = from;
  std::string up;
  while (!IsWithin(to, above)) {
    above = ParentOf(above);
    up += "../";
  }
  if (to == above) return up + ".";
  return up + to.substr(above == "/" ? 1 : above.size() + 1);
}

// A submodule's own directory is named like the place where it is checked out, and lies
// where nothing is written unseen; whether it is there yet does not matter.
std::string ModuleFile(const ActForProcess& acts, int root, const std::string& holder) {
  std::string up;
  std::string directory = holder;
  for (int level = 0; level < kMostLevels && directory != "/"; ++level) {
    directory = ParentOf(directory);
    up += "../";
    const std::string above = directory == "/" ? "" : directory;
    const std::string name = holder.substr(above.size() + 1);
    if (IsDirectory(acts, root, above + "/.git")) {
      return PointerTo(up + ".git", name);
    }
    // A module, or a worktree, that has modules of its own.
    const std::string file = Trimmed(SmallFile(acts, root, above + "/.git"));
    if (!file.starts_with("gitdir: ")) continue;
    const std::string told = file.substr(8);
    std::string base = told.starts_with('/') ? "" : above + "/";
    const std::string own = Normal(base.append(told));
    const bool kept = own.find("/.git/modules/") != std::string::npos ||
                      own.find("/.git/worktrees/") != std::string::npos;
    return kept ? PointerTo(RelativePath(holder, own), name) : "";
  }
  return {};
}

// What core.worktree says in a module's own configuration.
std::string ModuleWorktree(const std::string& config) {
  constexpr std::string_view kModules = "/.git/modules/";
  const auto begin = config.find(kModules);
  if (begin == std::string::npos) return {};
  const std::string directory = ParentOf(config);
  if (directory.size() <= begin + kModules.size()) return {};
  const std::string name = directory.substr(begin + kModules.size());
  std::string up = "../../../";
  for (const char c : name) {
    if (c == '/') up += "../";
  }
  // Modules of modules are checked out below each other.
  std::string place = name;
  constexpr std::string_view kNested = "/modules/";
  for (auto at = place.find(kNested); at != std::string::npos; at = place.find(kNested, at)) {
    place.erase(at, kNested.size() - 1);
  }
  return up + place;
}

}  // namespace

std::string SmallFile(const ActForProcess& acts, int directory, const std::string& path) {
  const auto found = acts.LookUp(directory, path.c_str(), platform::NamedPath::FinalLink::kTake,
                                 ActForProcess::NoLinks());
  if (found.os_errno != 0) return {};
  const auto stat = platform::StatDescriptor(found.fd.get());
  if (!stat || stat->type != FileType::kRegular) return {};
  platform::OpenWish reading;
  reading.read = true;
  const auto opened = acts.Reopen(found.fd.get(), reading, ActForProcess::Wait::kNever);
  return opened.os_errno == 0 ? WholeFile(opened.fd.get()) : "";
}

std::string ExpectedGitFile(const ActForProcess& acts, int root, const std::string& holder,
                            const std::string& working) {
  std::string expected = WorktreeFile(acts, root, holder, working);
  return expected.empty() ? ModuleFile(acts, root, holder) : expected;
}

// True if the file is one that says where a repository is: then the warden writes what it
// may say, the process writes into nothing, and the call was answered.
bool Case::OpensGitFile(const platform::OpenWish& wish, const std::string& path, int directory) {
  const GitPart part = PartOf(path);
  const bool leads = part == GitPart::kRepository || part == GitPart::kRedirect;
  const bool changes = wish.write || wish.create || wish.truncate;
  if (!leads || !changes || hand_.spec.git == sandbox::GitRules::kNone) return false;
  const std::string holder = ParentOf(path);
  std::string expected;
  if (part == GitPart::kRepository) {
    const UniqueFd working = hand_.processes.WorkingDirectory(thread_);
    const std::string real = working.valid() ? hand_.acts.RealPath(working.get()) : "/";
    expected = ExpectedGitFile(hand_.acts, hand_.resolver.root(), holder, real);
  } else if (ParentOf(holder).ends_with("/.git/worktrees")) {
    expected = "../..\n";
  }
  if (expected.empty()) {
    Refuse(Operation::kWrite, path, "git:file");
    return true;
  }
  if (!Waits()) return true;
  platform::OpenWish writing = wish;
  const std::string name = path.substr(path.rfind('/') + 1);
  auto made = ActForProcess::Create(directory, name.c_str(), writing, Umask());
  if (made.os_errno == EEXIST) {
    auto there = ActForProcess::Entry(directory, name.c_str());
    if (there.os_errno == 0) {
      const auto stat = platform::StatDescriptor(there.fd.get());
      if (!stat || stat->type != FileType::kRegular) {
        Fail(stat && stat->type == FileType::kDirectory ? EISDIR : EACCES);
        return true;
      }
      made = hand_.acts.Reopen(there.fd.get(), writing, ActForProcess::Wait::kNever);
    }
  }
  if (made.os_errno != 0) {
    Fail(made.os_errno);
    return true;
  }
  auto nothing = ActForProcess::Scratch();
  if (!platform::Truncate(made.fd.get(), 0) || !platform::WriteAllAt(made.fd.get(), 0, expected) ||
      !nothing.valid()) {
    Fail(EIO);
    return true;
  }
  GiveOpened(wish, {std::move(nothing), 0});
  return true;
}

// `from` is the lock file that git has written: its checked bytes, in a file that nobody
// else has open, take the place of the configuration.
void Case::RenameGitConfig(const Spot& from, const Spot& to) {
  if (from.name != to.name + ".lock" || from.directory_real != to.directory_real) {
    return Refuse(Operation::kRename, to.path(), "git:config");
  }
  auto lock = platform::OpenEntry(from.directory.get(), from.name.c_str(), OpenIntent::kRead);
  if (!lock) return Fail(lock.error().os_errno);
  const auto stat = platform::StatDescriptor(lock->get());
  if (!stat || stat->type != FileType::kRegular || stat->size > kMostBytes) {
    return Refuse(Operation::kRename, to.path(), "git:config");
  }
  const std::string content = WholeFile(lock->get());
  const std::string before = SmallFile(hand_.acts, to.directory.get(), to.name);
  const std::string harmful = HarmfulSetting(content, before, ModuleWorktree(to.path()));
  if (!harmful.empty()) return Refuse(Operation::kRename, to.path(), "git:config:" + harmful);
  if (!Waits()) return;
  const std::string fresh = to.name + "." + std::to_string(platform::RandomNumber());
  auto copy = platform::OpenEntry(to.directory.get(), fresh.c_str(), OpenIntent::kCreatePrivate);
  if (!copy) return Fail(copy.error().os_errno);
  const auto written = platform::WriteAll(copy->get(), content);
  const auto moded = platform::SetMode(copy->get(), stat->mode);
  int result = written && moded ? 0 : -EIO;
  if (result == 0) {
    result = ActForProcess::Rename(to.directory.get(), fresh.c_str(), to.directory.get(),
                                   to.name.c_str(), 0);
  }
  const auto gone = result == 0 ? from.name : fresh;
  (void)ActForProcess::Remove(to.directory.get(), gone.c_str(), platform::RemoveWish::What::kFile);
  Answer(result);
}

}  // namespace cordon::warden
