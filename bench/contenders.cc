#include "bench/contenders.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "audit/log.h"
#include "confine/ambient_authority.h"

namespace cordon::bench {
namespace {

constexpr int kDeepest = 12;

[[noreturn]] void Give(const std::string& what) {
  std::fprintf(stderr, "cordon_bench: %s\n", what.c_str());
  std::exit(2);
}

int OpenPlain(const char* path) { return ::open(path, O_RDONLY | O_CLOEXEC); }

int OpenBeneath(int directory, const char* path) {
  struct open_how how {};
  how.flags = O_RDONLY | O_CLOEXEC;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
  return static_cast<int>(::syscall(SYS_openat2, directory, path, &how, sizeof how));
}

// What every careful program does with a descriptor before it trusts it.
void FinishRegular(int fd, const char* who) {
  struct stat stat {};
  if (fd < 0 || ::fstat(fd, &stat) != 0 || !S_ISREG(stat.st_mode)) Give(who);
  ::close(fd);
}

policy::Settings SettingsFor(const std::string& root) {
  policy::Settings settings;
  settings.profile = policy::Profile::kStrict;
  settings.roots = {root};
  settings.deny = policy::DefaultDenyRules();
  return settings;
}

std::string MakeTemporary() {
  std::string name = (std::filesystem::temp_directory_path() / "cordon-bench-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) Give("cannot make a temporary directory");
  return std::filesystem::canonical(name).string();
}

std::unique_ptr<guard::Guard> MakeGuard(const std::string& root, const std::string& state) {
  const auto authority = confine::AmbientAuthority::OfThisProcess();
  auto boundary = guard::Boundary::Open(SettingsFor(root), confine::Resolver::kAuto, authority);
  if (!boundary) Give(boundary.error().detail);
  auto log = audit::Log::Open({state + "/audit.jsonl", state + "/audit.key"}, {}, authority);
  if (!log) Give(log.error().detail);
  guard::Session session;
  session.id = "0123456789abcdef0123456789abcdef";
  session.actor = "bench";
  auto guard = guard::Guard::Start({std::move(*boundary), std::move(*log), nullptr, session});
  if (!guard) Give(guard.error().detail);
  return std::move(*guard);
}

}  // namespace

Stage::Stage() {
  root_ = MakeTemporary();
  state_ = MakeTemporary();
  std::string directory = root_;
  for (int depth = 1; depth <= kDeepest; ++depth) {
    std::ofstream(directory + "/file.txt") << "x";
    directory += "/directory";
    std::filesystem::create_directory(directory);
  }
  descriptor_ = ::open(root_.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
  auto boundary = guard::Boundary::Open(SettingsFor(root_), confine::Resolver::kAuto,
                                        confine::AmbientAuthority::OfThisProcess());
  if (!boundary) Give(boundary.error().detail);
  boundary_ = std::make_unique<guard::Boundary>(std::move(*boundary));
  WorkspaceOptions options;
  options.profile = Profile::kStrict;
  auto workspace = Workspace::Open(root_, options);
  if (!workspace) Give(workspace.error().detail);
  workspace_ = std::make_unique<Workspace>(std::move(*workspace));
  guard_ = MakeGuard(root_, state_);
}

Stage::~Stage() {
  ::close(descriptor_);
  guard_.reset();
  std::error_code ignored;
  std::filesystem::remove_all(root_, ignored);
  std::filesystem::remove_all(state_, ignored);
}

std::string Stage::Relative(int depth) {
  std::string path;
  for (int i = 1; i < depth; ++i) path += "directory/";
  return path + "file.txt";
}

std::vector<Contender> ContendersAt(const Stage& stage, int depth) {
  const std::string absolute = stage.Absolute(depth);
  const std::string relative = Stage::Relative(depth);
  const int directory = stage.descriptor();
  const guard::Boundary* boundary = &stage.boundary();
  const Workspace* workspace = &stage.workspace();
  guard::Guard* const guard = &stage.guard();
  return {
      {"plain", [=] { FinishRegular(OpenPlain(absolute.c_str()), "open failed"); }},
      {"cordon",
       [=] {
         // Root::Open looks at the file's type itself.
         const auto root = boundary->Admit(policy::Subject::kAgent, Operation::kRead, relative);
         if (!root) Give(root.error().detail);
         const auto file = (*root)->Open(relative, confine::OpenMode::kRead);
         if (!file) Give(file.error().detail);
       }},
      {"guard",
       [=] {
         const guard::Call call{"read_file", policy::ToolKind::kRead, {}};
         const auto file = guard->OpenRead(call, relative);
         if (!file) Give(file.error().detail);
       }},
      {"openat2",
       [=] { FinishRegular(OpenBeneath(directory, relative.c_str()), "openat2 failed"); }},
      {"openat",
       [=] {
         FinishRegular(::openat(directory, relative.c_str(), O_RDONLY | O_CLOEXEC),
                       "openat failed");
       }},
      {"weakly_canonical",
       [=] {
         const std::filesystem::path real = std::filesystem::weakly_canonical(absolute);
         FinishRegular(OpenPlain(real.c_str()), "open failed");
       }},
      {"check",
       [=] {
         if (!workspace->Validate(relative, Operation::kRead)) Give("the check refused");
       }},
      {"decide",
       [=] {
         if (!boundary->Admit(policy::Subject::kAgent, Operation::kRead, relative)) {
           Give("the policy refused");
         }
       }},
  };
}

}  // namespace cordon::bench
