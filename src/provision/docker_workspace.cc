#include "provision/docker_workspace.h"

#include <algorithm>
#include <utility>

#include "base/try.h"
#include "platform/directory.h"
#include "platform/file_io.h"
#include "platform/file_stat.h"
#include "platform/open.h"
#include "platform/private_file.h"
#include "provision/disk_hold.h"
#include "provision/remove_tree.h"

namespace cordon::provision {
namespace {

using platform::OpenIntent;
using platform::UniqueFd;

constexpr const char* kWorkspace = "workspace";
constexpr const char* kFinished = "finished";
constexpr const char* kLog = "log";
constexpr const char* kOutput = "output";

struct Entry {
  std::string name;
  platform::FileType type;
};

Result<std::vector<Entry>> EntriesOf(int directory) {
  std::vector<Entry> entries;
  TRY(platform::ReadEntries(directory, [&](std::string_view name, platform::FileType type) {
    entries.push_back({std::string(name), type});
    return platform::ReadMore::kYes;
  }));
  return entries;
}

}  // namespace

Result<DockerWorkspaces> DockerWorkspaces::Open(const std::string& directory) {
  TRY_ASSIGN(UniqueFd root,
             platform::OpenStateDirectory(directory, platform::MissingDirectory::kMake));
  return DockerWorkspaces(std::move(root), directory);
}

std::string DockerWorkspaces::PathOf(const SandboxId& id) const {
  std::string path = path_;
  path.append("/").append(id.text()).append("/").append(kWorkspace);
  return path;
}

Status DockerWorkspaces::Make(const SandboxId& id, std::uint32_t user, std::uint64_t disk) const {
  TRY(platform::MakeDirectory(root_.get(), id.text().c_str(), 0700));
  TRY_ASSIGN(const UniqueFd own,
             platform::OpenEntry(root_.get(), id.text().c_str(), OpenIntent::kListDirectory));
  // Without one it is watched.
  static_cast<void>(SetDiskQuota(own.get(), MostOf(disk)));
  TRY(platform::MakeDirectory(own.get(), kWorkspace, 0700));
  TRY_ASSIGN(const UniqueFd workspace,
             platform::OpenEntry(own.get(), kWorkspace, OpenIntent::kListDirectory));
  TRY(platform::SetOwner(workspace.get(), user, user));
  TRY(platform::MakeDirectory(own.get(), kLog, 0700));
  TRY_ASSIGN(const UniqueFd log, platform::OpenEntry(own.get(), kLog, OpenIntent::kListDirectory));
  return platform::SetOwner(log.get(), user, user);
}

std::string DockerWorkspaces::LogFolderOf(const SandboxId& id) const {
  std::string path = path_;
  path.append("/").append(id.text()).append("/").append(kLog);
  return path;
}

std::string DockerWorkspaces::LastWords(const SandboxId& id, std::size_t most) const {
  std::string all;
  const auto own = platform::OpenEntry(root_.get(), id.text().c_str(), OpenIntent::kListDirectory);
  if (!own) return all;
  const auto log = platform::OpenEntry(own->get(), kLog, OpenIntent::kListDirectory);
  if (!log) return all;
  for (const char* name : {"output.old", kOutput}) {
    const auto file = platform::OpenEntry(log->get(), name, OpenIntent::kRead);
    if (!file) continue;
    const auto stat = platform::StatDescriptor(file->get());
    if (!stat || stat->type != platform::FileType::kRegular) continue;
    std::string end(std::min<std::uint64_t>(stat->size, most), '\0');
    const auto count = platform::ReadAt(file->get(), stat->size - end.size(), end);
    all.append(end, 0, count.value_or(0));
  }
  if (all.size() > most) all.erase(0, all.size() - most);
  return all;
}

Status DockerWorkspaces::MarkFinished(const SandboxId& id) const {
  TRY_ASSIGN(const UniqueFd own,
             platform::OpenEntry(root_.get(), id.text().c_str(), OpenIntent::kListDirectory));
  TRY_ASSIGN(
      const UniqueFd mark,
      platform::OpenPrivateFile(own.get(), kFinished, platform::PrivateAccess::kMakeIfMissing));
  return {};
}

void DockerWorkspaces::AddToLog(const SandboxId& id, const std::string& line) const {
  const auto own = platform::OpenEntry(root_.get(), id.text().c_str(), OpenIntent::kListDirectory);
  if (!own) return;
  const auto log = platform::OpenEntry(own->get(), kLog, OpenIntent::kListDirectory);
  if (!log) return;
  // What stands there is whatever a program inside has put there.
  const auto found = platform::StatEntry(log->get(), kOutput);
  if (found && found->type != platform::FileType::kRegular) return;
  const auto file = platform::OpenEntry(log->get(), kOutput, OpenIntent::kAppend);
  const auto folder = platform::StatDescriptor(log->get());
  if (!file || !folder) return;
  static_cast<void>(platform::SetOwner(file->get(), folder->owner, folder->group));
  static_cast<void>(platform::WriteAll(file->get(), line));
}

bool DockerWorkspaces::IsFinished(const SandboxId& id) const {
  const auto own = platform::OpenEntry(root_.get(), id.text().c_str(), OpenIntent::kListDirectory);
  return own && platform::OpenEntry(own->get(), kFinished, OpenIntent::kReference);
}

Status DockerWorkspaces::Remove(const SandboxId& id) const {
  const auto own = platform::OpenEntry(root_.get(), id.text().c_str(), OpenIntent::kListDirectory);
  // First: by way of the directory it is found again, whoever is killed here.
  if (own) TRY(ClearDiskQuota(own->get()));
  return RemoveTree(root_.get(), id.text().c_str());
}

Result<std::vector<SandboxId>> DockerWorkspaces::List() const {
  TRY_ASSIGN(const std::vector<Entry> entries, EntriesOf(root_.get()));
  std::vector<SandboxId> ids;
  for (const Entry& entry : entries) {
    if (std::optional<SandboxId> id = SandboxId::Parse(entry.name)) ids.push_back(*id);
  }
  return ids;
}

}  // namespace cordon::provision
