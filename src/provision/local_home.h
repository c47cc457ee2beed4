// The directory of one sandbox of the local driver, and what is written down there:
//   marker     what was asked for, and how far the making came
//   workspace  /workspace
//   control    of sandbox::Resident; nothing inside sees it
//   log        what programs without an owner say; its end is kept
#pragma once

#include <string>
#include <vector>

#include "base/sandbox_id.h"
#include "cordon/result.h"
#include "platform/unique_fd.h"
#include "provision/driver.h"

namespace cordon::provision {

struct Marker {
  Found::Making making = Found::Making::kHalfDone;
  std::string network = "none";
  Resources resources;
};

// Guarantees: what is interrupted at any instant is found again by All, and removed by Remove.
// Thread safety: all methods may run concurrently, for different ids.
class LocalHomes {
 public:
  // `path`: absolute; made if it is missing. Errors: kPermissionDenied when others could
  // change what stands in it.
  static Result<LocalHomes> Open(const std::string& path);

  const std::string& path() const { return path_; }
  int directory() const { return directory_.get(); }
  std::string Of(const SandboxId& id) const { return path_ + "/" + id.text(); }
  std::string WorkspaceOf(const SandboxId& id) const { return Of(id) + "/workspace"; }
  std::string ControlOf(const SandboxId& id) const { return Of(id) + "/control"; }

  // With a quota, where the file system has any. Errors: kAlreadyExists.
  Status Make(const SandboxId& id, const Marker& marker) const;
  Status Write(const SandboxId& id, const Marker& marker) const;
  // Whether there is one at all; one without a readable marker is half done.
  Result<Marker> Read(const SandboxId& id) const;
  Result<std::vector<SandboxId>> All() const;
  // Nothing of it runs any more.
  Status Remove(const SandboxId& id) const;

  // To write at the end; what is too long already begins anew.
  Result<platform::UniqueFd> OpenLog(const SandboxId& id) const;
  std::string EndOfLog(const SandboxId& id) const;
  void AddToLog(const SandboxId& id, const std::string& line) const;
  // Of one that has become much too long, the end is kept; whoever writes goes on behind it.
  Status TrimLog(const SandboxId& id) const;

 private:
  LocalHomes(std::string path, platform::UniqueFd directory)
      : path_(std::move(path)), directory_(std::move(directory)) {}
  Result<platform::UniqueFd> Enter(const SandboxId& id) const;
  std::string path_;
  platform::UniqueFd directory_;
};

}  // namespace cordon::provision
