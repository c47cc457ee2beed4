#include "serve/workplaces.h"

#include <utility>

#include "base/try.h"
#include "confine/ambient_authority.h"
#include "guard/inside_command.h"

namespace cordon::serve {
namespace {

using provision::Exec;
using provision::Sandboxes;

// A program that keeps its sandbox in use.
class LeasedExec final : public Exec {
 public:
  LeasedExec(Sandboxes::Lease lease, std::unique_ptr<Exec> exec)
      : lease_(std::move(lease)), exec_(std::move(exec)) {}
  Result<std::optional<Piece>> Read() override { return exec_->Read(); }
  Status Write(std::string_view bytes) override { return exec_->Write(bytes); }
  void CloseInput() override { exec_->CloseInput(); }
  Status Resize(const provision::TerminalSize& size) override { return exec_->Resize(size); }
  void Kill() override { exec_->Kill(); }
  Result<provision::ExecEnd> Wait() override { return exec_->Wait(); }

 private:
  const Sandboxes::Lease lease_;
  const std::unique_ptr<Exec> exec_;
};

Error OnlyFromInside() {
  Error error;
  error.code = ErrorCode::kUnsupported;
  error.op = "files";
  error.rule = "sandbox";
  error.detail =
      "the files of this sandbox can be reached from inside alone, which file tools cannot do yet";
  return error;
}

Result<guard::Boundary> OpenBoundary(const std::string& directory,
                                     const std::vector<policy::ToolRule>& tools) {
  policy::Settings settings;
  settings.profile = policy::Profile::kSandboxed;
  settings.roots = {directory};
  settings.seen_as = kWorkspaceInside;
  settings.tools = tools;
  return guard::Boundary::Open(settings, confine::Resolver::kAuto,
                               confine::AmbientAuthority::OfThisProcess());
}

std::shared_ptr<const guard::CommandSupport> CommandsIn(const std::weak_ptr<Sandboxes>& sandboxes,
                                                        const store::Sandbox& sandbox) {
  auto support = std::make_shared<guard::CommandSupport>();
  support->elsewhere = guard::RunInside(
      [sandboxes, user = sandbox.user,
       id = sandbox.id](const provision::ExecTerms& terms) -> Result<std::unique_ptr<Exec>> {
        const auto alive = sandboxes.lock();
        if (!alive) return OnlyFromInside();
        TRY_ASSIGN(Sandboxes::Lease lease, alive->Use(user, id));
        TRY_ASSIGN(std::unique_ptr<Exec> exec, lease.driver->Start(id, terms));
        return std::unique_ptr<Exec>(
            std::make_unique<LeasedExec>(std::move(lease), std::move(exec)));
      },
      std::string(kWorkspaceInside));
  return support;
}

}  // namespace

Result<guard::Guard::Parts> Workplaces::PartsFor(const Sandboxes::Lease& lease) const {
  const store::Sandbox& sandbox = lease.sandbox;
  TRY_ASSIGN(const provision::FileAccess files, lease.driver->Files(sandbox.id));
  if (files.way != provision::FileAccess::Way::kDirectory) return OnlyFromInside();
  TRY_ASSIGN(guard::Boundary boundary, OpenBoundary(files.path, parts_.tools));
  guard::Session session;
  session.id = sandbox.id.text();
  session.actor = sandbox.user;
  session.conversation = sandbox.conversation.value_or("");
  session.sandbox = sandbox.id.text();
  auto desk = std::make_shared<consent::Desk>(std::vector<std::shared_ptr<consent::Channel>>{
      parts_.approvals->ChannelFor(sandbox.user, sandbox.id.text())});
  guard::Guard::Parts parts{std::move(boundary), parts_.recorder, std::move(desk),
                            std::move(session)};
  parts.commands = CommandsIn(parts_.sandboxes, sandbox);
  return parts;
}

Result<std::shared_ptr<guard::Guard>> Workplaces::GuardOf(const Sandboxes::Lease& lease) {
  const std::lock_guard lock(mutex_);
  const auto found = guards_.find(lease.sandbox.id);
  if (found != guards_.end()) return found->second;
  TRY_ASSIGN(guard::Guard::Parts parts, PartsFor(lease));
  TRY_ASSIGN(std::unique_ptr<guard::Guard> started, guard::Guard::Start(std::move(parts)));
  std::shared_ptr<guard::Guard> guard = std::move(started);
  guards_.emplace(lease.sandbox.id, guard);
  return guard;
}

void Workplaces::Forget(const SandboxId& id) {
  std::shared_ptr<guard::Guard> gone;  // declared first: it ends its commands without the lock
  const std::lock_guard lock(mutex_);
  const auto found = guards_.find(id);
  if (found == guards_.end()) return;
  gone = std::move(found->second);
  guards_.erase(found);
}

}  // namespace cordon::serve
