#include "serve/service.h"

#include <chrono>
#include <mutex>
#include <set>
#include <utility>

#include "base/try.h"
#include "net/worker_pool.h"
#include "serve/approvals.h"
#include "serve/chain_check.h"
#include "serve/counters.h"
#include "serve/mcp_endpoints.h"
#include "serve/sessions.h"
#include "serve/slots.h"
#include "serve/terminals.h"
#include "serve/web_assets.h"
#include "serve/workplaces.h"

namespace cordon::serve {
namespace {

using store::SandboxState;

constexpr std::size_t kStreams = 96;
constexpr std::size_t kStreamsOfOneUser = 24;
constexpr net::WorkerPool::Limits kHousekeeping{2, 100'000};

// What a sandbox leaves behind in this process when it ends.
class Aftermath {
 public:
  explicit Aftermath(std::shared_ptr<audit::Recorder> recorder) : recorder_(std::move(recorder)) {}

  void Begin(const Context& context) {
    const std::lock_guard lock(mutex_);
    context_ = context;
  }
  // Called by the sandboxes from any of their threads, so nothing of this waits there.
  void Changed(const store::Sandbox& sandbox);
  void End() {
    {
      const std::lock_guard lock(mutex_);
      ended_ = true;
    }
    housekeeping_.reset();  // waits for what has begun
    const std::lock_guard lock(mutex_);
    context_ = {};
  }

 private:
  void RecordReady(const store::Sandbox& sandbox);
  void RecordEnded(const store::Sandbox& sandbox);
  Context context() {
    const std::lock_guard lock(mutex_);
    return context_;
  }

  const std::shared_ptr<audit::Recorder> recorder_;
  std::mutex mutex_;
  Context context_;
  std::set<SandboxId> recorded_;
  bool ended_ = false;
  std::optional<net::WorkerPool> housekeeping_{std::in_place, kHousekeeping};
};

// Views into `sandbox`.
audit::Record RecordOf(const store::Sandbox& sandbox, audit::Event event) {
  audit::Record record;
  record.event = event;
  record.session = sandbox.id.text();
  record.sandbox = sandbox.id.text();
  if (sandbox.conversation) record.conversation = *sandbox.conversation;
  record.actor = sandbox.user;
  record.target = sandbox.driver;
  return record;
}

void Aftermath::RecordReady(const store::Sandbox& sandbox) {
  {
    const std::lock_guard lock(mutex_);
    if (!recorded_.insert(sandbox.id).second) return;
  }
  const audit::Record record = RecordOf(sandbox, audit::Event::kSandboxCreated);
  // It is there already: what cannot be told any more does not undo it.
  static_cast<void>(recorder_->Append(record, audit::Durability::kWithKernel));
}

void Aftermath::RecordEnded(const store::Sandbox& sandbox) {
  // Of one that nobody was given, nothing was recorded before.
  if (!sandbox.ready || sandbox.pooled == store::Sandbox::Pooled::kWaiting) return;
  audit::Record record = RecordOf(sandbox, audit::Event::kSandboxEnded);
  record.rule = sandbox.reason;
  static_cast<void>(recorder_->Append(record, audit::Durability::kWithKernel));
}

void Aftermath::Changed(const store::Sandbox& sandbox) {
  if (const auto previews = context().previews) previews->Changed(sandbox);
  if (sandbox.state == SandboxState::kReady) {
    if (sandbox.pooled == store::Sandbox::Pooled::kNo) RecordReady(sandbox);
    return;
  }
  if (sandbox.state == SandboxState::kTerminated) RecordEnded(sandbox);
  const bool over = sandbox.state == SandboxState::kTerminating ||
                    sandbox.state == SandboxState::kTerminated ||
                    sandbox.state == SandboxState::kFailed;
  const std::lock_guard submitting(mutex_);
  if (!over || ended_) return;
  housekeeping_->Submit([this, id = sandbox.id] {
    const Context held = context();
    if (held.terminals) held.terminals->Forget(id);
    if (held.mcp) held.mcp->Forget(id);
    if (held.workplaces) held.workplaces->Forget(id);
    const std::lock_guard lock(mutex_);
    recorded_.erase(id);
  });
}

Result<std::optional<Workplaces::Interactive>> InteractiveOf(
    store::Store& store, std::optional<ServiceParts::Interactive> wanted) {
  if (!wanted) return std::optional<Workplaces::Interactive>();
  TRY_ASSIGN(store::User user, store.FindUserByName(wanted->user));
  return std::optional(Workplaces::Interactive{std::move(user.id), std::move(wanted->own)});
}

class Running final : public Service {
 public:
  explicit Running(std::shared_ptr<audit::Recorder> recorder) : aftermath_(std::move(recorder)) {}
  ~Running() override;
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  Status Start(ServiceParts parts);
  std::string url() const override { return api_->url(); }
  std::string preview_address() const override {
    return context_.previews ? context_.previews->proxy().address() : "";
  }
  Result<std::string> SignInLink(std::string_view user) override;

 private:
  Status ShowPreviews(preview::PreviewTerms terms, std::string state);

  Aftermath aftermath_;
  Context context_;
  std::unique_ptr<Api> api_;
};

Status Running::Start(ServiceParts parts) {
  if (!parts.now) parts.now = SystemNow;
  provision::Sandboxes::Parts sandboxes;
  sandboxes.store = parts.store;
  sandboxes.drivers = std::move(parts.drivers);
  sandboxes.now = parts.now;
  sandboxes.changed = [this](const store::Sandbox& sandbox) { aftermath_.Changed(sandbox); };
  TRY_ASSIGN(std::unique_ptr<provision::Sandboxes> opened,
             provision::Sandboxes::Open(std::move(sandboxes), std::move(parts.policy)));
  context_.store = parts.store;
  context_.sandboxes = std::move(opened);
  context_.recorder = parts.recorder;
  context_.tokens = std::make_shared<TokenCheck>(parts.store, parts.now);
  context_.sessions = std::make_shared<Sessions>(parts.store, context_.tokens, parts.now);
  context_.approvals = std::make_shared<ApprovalBoard>(parts.now);
  TRY_ASSIGN(auto interactive, InteractiveOf(*parts.store, std::move(parts.interactive)));
  context_.workplaces = std::make_shared<Workplaces>(Workplaces::Parts{
      context_.sandboxes, parts.recorder, context_.approvals, std::move(parts.tools),
      std::move(parts.undo_directory), std::move(interactive)});
  context_.mcp = std::make_shared<McpEndpoints>(context_.workplaces, parts.api.version);
  context_.streams = std::make_shared<Slots>(Slots::Limits{kStreams, kStreamsOfOneUser});
  context_.terminals = std::make_shared<Terminals>();
  context_.counters = std::make_shared<Counters>();
  context_.chain = std::make_shared<ChainCheck>(
      audit::LogPlace{parts.log_file, std::move(parts.key_file)}, parts.now);
  context_.log_file = std::move(parts.log_file);
  context_.now = parts.now;
  if (parts.previews) TRY(ShowPreviews(std::move(*parts.previews), parts.state));
  aftermath_.Begin(context_);
  TRY_ASSIGN(api_, Api::Start(context_, parts.api));
  // The dashboard shows previews beside what it tells of their sandboxes.
  const bool visited = parts.api.address.unix_socket.empty() && !WebAssets().empty();
  if (context_.previews && visited) TRY(context_.previews->FramedBy(api_->url()));
  return {};
}

Status Running::ShowPreviews(preview::PreviewTerms terms, std::string state) {
  preview::Previews::Parts parts;
  parts.store = context_.store;
  parts.sandboxes = context_.sandboxes;
  parts.user_of = [tokens = context_.tokens](std::string_view header) {
    const auto caller = tokens->Admit(header);
    return caller && caller->Has("sandboxes:read") ? std::optional(caller->user) : std::nullopt;
  };
  parts.now = context_.now;
  parts.directory = std::move(state);
  TRY_ASSIGN(context_.previews, preview::Previews::Open(std::move(parts), std::move(terms)));
  return {};
}

Result<std::string> Running::SignInLink(std::string_view user) {
  TRY_ASSIGN(const store::User found, context_.store->FindUserByName(user));
  const Sessions::Code made = context_.sessions->NewCode({found.id, "", AllScopes()});
  return api_->url() + "/#code=" + made.code;
}

// Those who wait are let go first, so that their threads come to an end.
Running::~Running() {
  if (context_.approvals) context_.approvals->Close();
  if (context_.terminals) context_.terminals->Close();
  api_.reset();
  if (context_.mcp) context_.mcp->Close();
  aftermath_.End();
  context_ = {};  // the terminals, then the sandboxes' watch
}

}  // namespace

store::Time SystemNow() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

Result<std::unique_ptr<Service>> Service::Open(ServiceParts parts) {
  auto running = std::make_unique<Running>(parts.recorder);
  TRY(running->Start(std::move(parts)));
  return std::unique_ptr<Service>(std::move(running));
}

}  // namespace cordon::serve
