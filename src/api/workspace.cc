#include "cordon/workspace.h"

#include <utility>

#include "api/load_settings.h"
#include "api/stream_buffers.h"
#include "api/workspace_state.h"
#include "base/try.h"
#include "confine/ambient_authority.h"
#include "policy/settings.h"

namespace cordon {
namespace {

using confine::AmbientAuthority;

policy::Profile Internal(Profile profile) {
  switch (profile) {
    case Profile::kStrict: return policy::Profile::kStrict;
    case Profile::kInteractive: return policy::Profile::kInteractive;
    case Profile::kSandboxed: return policy::Profile::kSandboxed;
    case Profile::kCompat: return policy::Profile::kCompat;
  }
  return policy::Profile::kStrict;
}

FileType External(platform::FileType type) {
  switch (type) {
    case platform::FileType::kRegular: return FileType::kRegular;
    case platform::FileType::kDirectory: return FileType::kDirectory;
    case platform::FileType::kSymlink: return FileType::kSymlink;
    case platform::FileType::kFifo: return FileType::kFifo;
    case platform::FileType::kSocket: return FileType::kSocket;
    case platform::FileType::kDevice: return FileType::kDevice;
    case platform::FileType::kUnknown: return FileType::kUnknown;
  }
  return FileType::kUnknown;
}

policy::Flags FlagsOf(const WorkspaceOptions& options) {
  policy::Flags flags;
  if (options.profile) flags.profile = Internal(*options.profile);
  flags.roots = options.more_roots;
  flags.read_only_roots = options.read_only_roots;
  flags.deny = options.deny;
  return flags;
}

Result<policy::Settings> SettingsOf(const WorkspaceOptions& options, policy::Flags flags,
                                    const policy::Environment& environment) {
  policy::Settings settings;
  if (options.config_files == ConfigFiles::kRead) {
    TRY_ASSIGN(settings,
               api::LoadSettings({std::move(flags), {}}, AmbientAuthority::OfThisProcess()));
  } else {
    TRY_ASSIGN(settings, policy::Merge(flags, environment, {}));
    api::ProtectOwn(settings, std::nullopt);
  }
  if (options.access == WorkspaceAccess::kReadOnly) settings.read_only = true;
  return settings;
}

policy::Subject SubjectOf(Caller caller) {
  return caller == Caller::kProgram ? policy::Subject::kHost : policy::Subject::kAgent;
}

// Runs `act` on the root that `path` is admitted to.
template <typename Act>
auto On(const Result<const confine::Root*>& root, const Act& act) -> decltype(act(**root)) {
  if (!root) return root.error();
  auto result = act(**root);
  if (!result) return api::Explained(**root, std::move(result.error()));
  return result;
}

}  // namespace

namespace api {

Error Explained(const confine::Root& root, Error error) {
  if (error.code != ErrorCode::kNotFound) return error;
  const auto itself = root.Stat(".", confine::FinalSymlink::kFollow);
  const bool gone = itself ? itself->links == 0 : itself.error().code == ErrorCode::kNotFound;
  if (gone) {
    error.rule = "boundary";
    error.component.clear();
    error.detail = "the workspace's own directory was removed";
  }
  return error;
}

}  // namespace api

Workspace::Workspace(std::shared_ptr<const State> state) : state_(std::move(state)) {}

Result<Workspace> Workspace::Open(std::string_view root, const WorkspaceOptions& options) {
  policy::Flags flags = FlagsOf(options);
  flags.roots.insert(flags.roots.begin(), std::string(root));
  TRY_ASSIGN(policy::Settings settings, SettingsOf(options, std::move(flags), {}));
  TRY_ASSIGN(confine::Resolver resolver, api::ResolverFromEnvironment());
  TRY_ASSIGN(guard::Boundary boundary,
             guard::Boundary::Open(settings, resolver, AmbientAuthority::OfThisProcess()));
  return Workspace(
      std::make_shared<const State>(State{std::move(boundary), SubjectOf(options.caller)}));
}

Result<Workspace> Workspace::FromEnvironment() {
  WorkspaceOptions options;
  options.caller = Caller::kProgram;
  return FromEnvironment(options);
}

Result<Workspace> Workspace::FromEnvironment(const WorkspaceOptions& options) {
  const policy::Environment environment = api::ReadEnvironment();
  policy::Flags flags = FlagsOf(options);
  // Flags beat the environment, so more roots must not hide the first.
  if (!flags.roots.empty() && environment.allowed_root_directory) {
    flags.roots.insert(flags.roots.begin(), *environment.allowed_root_directory);
  }
  TRY_ASSIGN(policy::Settings settings, SettingsOf(options, std::move(flags), environment));
  TRY_ASSIGN(confine::Resolver resolver, api::ResolverFromEnvironment());
  TRY_ASSIGN(guard::Boundary boundary,
             guard::Boundary::Open(settings, resolver, AmbientAuthority::OfThisProcess()));
  return Workspace(
      std::make_shared<const State>(State{std::move(boundary), SubjectOf(options.caller)}));
}

Result<SafeFileStream> Workspace::OpenRead(std::string_view path) const {
  TRY_ASSIGN(confine::File file, On(state_->Admit(Operation::kRead, path), [&](const auto& root) {
               return root.Open(path, confine::OpenMode::kRead);
             }));
  return SafeFileStream(std::make_unique<api::ReadBuffer>(std::move(file)));
}

Result<SafeFileStream> Workspace::OpenWrite(std::string_view path) const {
  TRY_ASSIGN(confine::Replacement next, On(state_->Admit(Operation::kWrite, path),
                                           [&](const auto& root) { return root.Replace(path); }));
  return SafeFileStream(std::make_unique<api::WriteBuffer>(api::ReplacementSink(std::move(next)),
                                                           api::WhenDropped::kDiscard));
}

Result<SafeFileStream> Workspace::OpenAppend(std::string_view path) const {
  TRY_ASSIGN(const confine::Root* root, state_->Admit(Operation::kWrite, path));
  // Refuses now what the first flush would refuse, and makes the file.
  if (Status made = root->Append(path, ""); !made) {
    return api::Explained(*root, std::move(made.error()));
  }
  return SafeFileStream(std::make_unique<api::WriteBuffer>(
      api::AppendSink(state_, *root, std::string(path)), api::WhenDropped::kFlush));
}

Result<std::string> Workspace::ReadFile(std::string_view path, std::size_t limit) const {
  return On(state_->Admit(Operation::kRead, path),
            [&](const confine::Root& root) -> Result<std::string> {
              TRY_ASSIGN(confine::File file, root.Open(path, confine::OpenMode::kRead));
              return file.ReadAll(limit);
            });
}

Status Workspace::WriteFile(std::string_view path, std::string_view bytes) const {
  return On(state_->Admit(Operation::kWrite, path), [&](const confine::Root& root) -> Status {
    TRY_ASSIGN(confine::Replacement next, root.Replace(path));
    TRY(next.Write(bytes));
    return next.Commit();
  });
}

Status Workspace::AppendFile(std::string_view path, std::string_view bytes) const {
  return On(state_->Admit(Operation::kWrite, path),
            [&](const auto& root) { return root.Append(path, bytes); });
}

Result<FileInfo> Workspace::Stat(std::string_view path, FinalLink final) const {
  const auto follow = final == FinalLink::kFollow ? confine::FinalSymlink::kFollow
                                                  : confine::FinalSymlink::kNoFollow;
  TRY_ASSIGN(platform::FileStat stat,
             On(state_->Admit(Operation::kStat, path),
                [&](const auto& root) { return root.Stat(path, follow); }));
  return FileInfo{External(stat.type), stat.size, stat.mode, stat.links, stat.modified_ns};
}

Result<std::vector<DirectoryEntry>> Workspace::List(std::string_view path) const {
  TRY_ASSIGN(
      std::vector<confine::DirectoryEntry> found,
      On(state_->Admit(Operation::kList, path), [&](const auto& root) { return root.List(path); }));
  std::vector<DirectoryEntry> entries;
  entries.reserve(found.size());
  for (confine::DirectoryEntry& entry : found) {
    entries.push_back({std::move(entry.name), External(entry.type)});
  }
  return entries;
}

Status Workspace::Mkdir(std::string_view path) const {
  return On(state_->Admit(Operation::kMkdir, path),
            [&](const auto& root) { return root.Mkdir(path); });
}

Status Workspace::MkdirAll(std::string_view path) const {
  return On(state_->Admit(Operation::kMkdir, path),
            [&](const auto& root) { return root.MkdirAll(path); });
}

Status Workspace::Rename(std::string_view from, std::string_view to) const {
  TRY_ASSIGN(const confine::Root* target, state_->Admit(Operation::kRename, to));
  return On(state_->Admit(Operation::kRename, from),
            [&](const auto& root) { return root.Rename(from, *target, to); });
}

Status Workspace::Remove(std::string_view path) const {
  return On(state_->Admit(Operation::kDelete, path),
            [&](const auto& root) { return root.Remove(path); });
}

Status Workspace::RemoveAll(std::string_view path) const {
  return On(state_->Admit(Operation::kDelete, path),
            [&](const auto& root) { return root.RemoveAll(path); });
}

std::optional<std::string> Workspace::allowed_root_directory() const {
  // "/" chosen for want of a root is no boundary that anyone configured.
  if (!state_->boundary.warnings().empty() && state_->boundary.settings().roots.empty()) {
    return std::nullopt;
  }
  return state_->boundary.workspace().real_path();
}

std::optional<std::string> Workspace::data_directory() const {
  for (const guard::Boundary::Place& place : state_->boundary.places()) {
    if (place.zone == policy::Zone::kDataDirectory) return place.root->real_path();
  }
  return std::nullopt;
}

std::vector<std::string> Workspace::allowed_paths() const {
  std::vector<std::string> paths;
  for (const guard::Boundary::Place& place : state_->boundary.places()) {
    paths.push_back(place.root->real_path());
  }
  return paths;
}

const std::vector<std::string>& Workspace::warnings() const { return state_->boundary.warnings(); }

}  // namespace cordon
