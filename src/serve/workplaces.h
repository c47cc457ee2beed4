// The guard around each sandbox's workspace.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "audit/recorder.h"
#include "guard/guard.h"
#include "policy/settings.h"
#include "policy/tool_level.h"
#include "provision/sandboxes.h"
#include "serve/approvals.h"
#include "serve/journals.h"

namespace cordon::serve {

// Guarantees: the files of a sandbox are reached through one Guard, by what they are called
//   outside and inside (/workspace); commands run in the sandbox, never on the host.
// Thread safety: every method may run concurrently.
class Workplaces {
 public:
  // Whose tools ask about this machine's files outside their workspace, as under `interactive`,
  // where others' are refused. Only in sandboxes that have this machine's own file system around
  // them.
  struct Interactive {
    std::string user;                    // store::User::id
    std::vector<policy::Protected> own;  // out of reach, whatever the answer
  };
  struct Parts {
    std::shared_ptr<provision::Sandboxes> sandboxes;
    std::shared_ptr<audit::Recorder> recorder;
    std::shared_ptr<ApprovalBoard> approvals;
    std::vector<policy::ToolRule> tools;          // the operator's: which calls ask the owner
    std::string undo_directory = {};              // empty: nothing can be undone
    std::optional<Interactive> interactive = {};  // unset: everybody's are refused
  };
  explicit Workplaces(Parts parts) : parts_(std::move(parts)), journals_(parts_.undo_directory) {}

  // Errors: kSandboxRequired, kIoError.
  Result<std::shared_ptr<guard::Guard>> GuardOf(const provision::Sandboxes::Lease& lease);
  // The same place for who need not be asked, being the one who answers.
  Result<std::shared_ptr<guard::Guard>> UnaskedGuard(const provision::Sandboxes::Lease& lease);
  // For who starts guards of its own on the same place.
  Result<guard::Guard::Parts> PartsFor(const provision::Sandboxes::Lease& lease);
  // The sandbox is gone.
  void Forget(const SandboxId& id);

 private:
  enum class Asks { kOwner, kNobody };
  Result<guard::Guard::Parts> PartsWith(const provision::Sandboxes::Lease& lease, Asks asks);
  // The place itself is shared: where it is reached from inside, by few processes.
  Result<guard::Boundary> BoundaryOf(const provision::Sandboxes::Lease& lease, Asks asks);
  policy::Settings SettingsFor(const store::Sandbox& sandbox, const provision::FileAccess& files,
                               Asks asks) const;

  const Parts parts_;
  const Journals journals_;
  std::mutex opening_;
  std::map<std::pair<SandboxId, Asks>, guard::Boundary> boundaries_;
  std::mutex mutex_;
  std::map<SandboxId, std::shared_ptr<guard::Guard>> guards_;
};

inline constexpr std::string_view kWorkspaceInside = "/workspace";

}  // namespace cordon::serve
