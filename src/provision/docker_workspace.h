// The directories of a driver's sandboxes on this host: DIRECTORY/ID/workspace, beside it what
// its detached programs said last, and the mark that it was finished.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/sandbox_id.h"
#include "cordon/result.h"
#include "platform/unique_fd.h"

namespace cordon::provision {

// Guarantees: nobody but this user and root gets to a workspace by its name on the host.
// Thread safety: all methods may run concurrently, for different ids.
class DockerWorkspaces {
 public:
  static Result<DockerWorkspaces> Open(const std::string& directory);

  // With a quota, where the file system has any. Errors: kAlreadyExists.
  Status Make(const SandboxId& id, std::uint32_t user, std::uint64_t disk) const;
  int directory() const { return root_.get(); }
  std::string PathOf(const SandboxId& id) const;
  std::string LogFolderOf(const SandboxId& id) const;
  // The last of what was said, at most `most` bytes; untrusted.
  std::string LastWords(const SandboxId& id, std::size_t most) const;
  // Behind what was said. No error if it cannot be written.
  void AddToLog(const SandboxId& id, const std::string& line) const;
  Status MarkFinished(const SandboxId& id) const;
  bool IsFinished(const SandboxId& id) const;
  // With everything in it, however deep. No error if there is none.
  Status Remove(const SandboxId& id) const;
  Result<std::vector<SandboxId>> List() const;

 private:
  DockerWorkspaces(platform::UniqueFd root, std::string path)
      : root_(std::move(root)), path_(std::move(path)) {}
  platform::UniqueFd root_;
  std::string path_;
};

}  // namespace cordon::provision
