#include "serve/workplaces.h"

#include <utility>

#include "base/try.h"
#include "confine/ambient_authority.h"
#include "guard/inside_command.h"
#include "provision/inside_files.h"

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

Error IsClosing() {
  Error error;
  error.code = ErrorCode::kSandboxRequired;
  error.op = "sandbox";
  error.detail = "the server ends";
  return error;
}

// What reaches files from inside. It does not keep the sandbox in use: who uses the files does.
provision::ToolStarter ToolsIn(const std::weak_ptr<Sandboxes>& sandboxes,
                               const store::Sandbox& sandbox) {
  return [sandboxes, user = sandbox.user,
          id = sandbox.id]() -> Result<std::unique_ptr<provision::ToolStream>> {
    const auto alive = sandboxes.lock();
    if (!alive) return IsClosing();
    TRY_ASSIGN(const Sandboxes::Lease lease, alive->Use(user, id));
    return lease.driver->Tools(id);
  };
}

Result<guard::Boundary> OpenBoundary(const std::weak_ptr<Sandboxes>& sandboxes,
                                     const Sandboxes::Lease& lease,
                                     const provision::FileAccess& files,
                                     policy::Settings settings) {
  if (files.way == provision::FileAccess::Way::kInside) {
    settings.roots = {std::string(kWorkspaceInside)};
    return guard::Boundary::OpenElsewhere(settings, [&](const confine::RootOptions& options) {
      return provision::RootInside(ToolsIn(sandboxes, lease.sandbox), options);
    });
  }
  settings.roots = {files.path};
  settings.seen_as = kWorkspaceInside;
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
        if (!alive) return IsClosing();
        TRY_ASSIGN(Sandboxes::Lease lease, alive->Use(user, id));
        TRY_ASSIGN(std::unique_ptr<Exec> exec, lease.driver->Start(id, terms));
        return std::unique_ptr<Exec>(
            std::make_unique<LeasedExec>(std::move(lease), std::move(exec)));
      },
      std::string(kWorkspaceInside));
  return support;
}

}  // namespace

policy::Settings Workplaces::SettingsFor(const store::Sandbox& sandbox,
                                         const provision::FileAccess& files, Asks asks) const {
  policy::Settings settings;
  settings.profile = policy::Profile::kSandboxed;
  if (asks == Asks::kNobody) return settings;
  settings.tools = parts_.tools;
  if (parts_.interactive && parts_.interactive->user == sandbox.user &&
      files.around == provision::FileAccess::Around::kThisHost) {
    settings.profile = policy::Profile::kInteractive;
    settings.deny = policy::DefaultDenyRules();
    settings.own = parts_.interactive->own;
  }
  return settings;
}

Result<guard::Boundary> Workplaces::BoundaryOf(const Sandboxes::Lease& lease, Asks asks) {
  const std::pair key(lease.sandbox.id, asks);
  {
    const std::lock_guard lock(opening_);
    const auto found = boundaries_.find(key);
    if (found != boundaries_.end()) return found->second;
  }
  TRY_ASSIGN(const provision::FileAccess files, lease.driver->Files(lease.sandbox.id));
  TRY_ASSIGN(guard::Boundary boundary,
             OpenBoundary(parts_.sandboxes, lease, files, SettingsFor(lease.sandbox, files, asks)));
  const std::lock_guard lock(opening_);
  return boundaries_.emplace(key, std::move(boundary)).first->second;
}

Result<guard::Guard::Parts> Workplaces::PartsFor(const Sandboxes::Lease& lease) {
  return PartsWith(lease, Asks::kOwner);
}

Result<std::shared_ptr<guard::Guard>> Workplaces::UnaskedGuard(const Sandboxes::Lease& lease) {
  TRY_ASSIGN(guard::Guard::Parts parts, PartsWith(lease, Asks::kNobody));
  TRY_ASSIGN(std::unique_ptr<guard::Guard> started, guard::Guard::Start(std::move(parts)));
  return std::shared_ptr<guard::Guard>(std::move(started));
}

Result<guard::Guard::Parts> Workplaces::PartsWith(const Sandboxes::Lease& lease, Asks asks) {
  const store::Sandbox& sandbox = lease.sandbox;
  TRY_ASSIGN(guard::Boundary boundary, BoundaryOf(lease, asks));
  guard::Session session;
  session.id = sandbox.id.text();
  session.actor = sandbox.user;
  session.conversation = sandbox.conversation.value_or("");
  session.sandbox = sandbox.id.text();
  auto desk = std::make_shared<consent::Desk>(std::vector<std::shared_ptr<consent::Channel>>{
      parts_.approvals->ChannelFor(sandbox.user, sandbox.id.text())});
  guard::Guard::Parts parts{std::move(boundary), parts_.recorder, std::move(desk),
                            std::move(session)};
  TRY_ASSIGN(const provision::FileAccess files, lease.driver->Files(sandbox.id));
  // What is reached from inside is not copied out to be kept.
  if (files.way == provision::FileAccess::Way::kDirectory) {
    TRY_ASSIGN(parts.keeper, journals_.Open(sandbox.id));
  }
  parts.commands = CommandsIn(parts_.sandboxes, sandbox);
  parts.room = [driver = lease.driver, id = sandbox.id](std::uint64_t bytes) {
    return driver->Room(id, bytes);
  };
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
  {
    const std::lock_guard lock(opening_);
    for (const Asks asks : {Asks::kOwner, Asks::kNobody}) boundaries_.erase({id, asks});
  }
  {
    const std::lock_guard lock(mutex_);
    const auto found = guards_.find(id);
    if (found != guards_.end()) {
      gone = std::move(found->second);
      guards_.erase(found);
    }
  }
  journals_.Remove(id);
}

}  // namespace cordon::serve
