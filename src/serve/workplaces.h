// The guard around each sandbox's workspace.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "audit/recorder.h"
#include "guard/guard.h"
#include "policy/tool_level.h"
#include "provision/sandboxes.h"
#include "serve/approvals.h"

namespace cordon::serve {

// Guarantees: the files of a sandbox are reached through one Guard, by what they are called
//   outside and inside (/workspace); commands run in the sandbox, never on the host.
// Thread safety: every method may run concurrently.
class Workplaces {
 public:
  struct Parts {
    std::shared_ptr<provision::Sandboxes> sandboxes;
    std::shared_ptr<audit::Recorder> recorder;
    std::shared_ptr<ApprovalBoard> approvals;
    std::vector<policy::ToolRule> tools;  // the operator's: which calls ask the owner
  };
  explicit Workplaces(Parts parts) : parts_(std::move(parts)) {}

  // Errors: kUnsupported where files can only be reached from inside; kIoError.
  Result<std::shared_ptr<guard::Guard>> GuardOf(const provision::Sandboxes::Lease& lease);
  // For who starts guards of its own on the same place.
  Result<guard::Guard::Parts> PartsFor(const provision::Sandboxes::Lease& lease) const;
  // The sandbox is gone.
  void Forget(const SandboxId& id);

 private:
  const Parts parts_;
  std::mutex mutex_;
  std::map<SandboxId, std::shared_ptr<guard::Guard>> guards_;
};

inline constexpr std::string_view kWorkspaceInside = "/workspace";

}  // namespace cordon::serve
