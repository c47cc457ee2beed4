#include "provision/keeper.h"

#include <utility>

#include "base/try.h"
#include "platform/machine_memory.h"
#include "platform/resource_limits.h"
#include "provision/fault_point.h"
#include "provision/new_id.h"
#include "provision/reconcile.h"

namespace cordon::provision {
namespace {

using store::Sandbox;
using store::SandboxState;

Error Invalid(std::string detail) {
  Error error;
  error.code = ErrorCode::kInvalidArguments;
  error.op = "sandboxes";
  error.detail = std::move(detail);
  return error;
}

Pool::FreeMemory OrAskTheSystem(std::function<std::uint64_t()> free_memory) {
  if (free_memory) return free_memory;
  // Who cannot be asked has none to give.
  return [] { return platform::AvailableMemory().value_or(0); };
}

}  // namespace

Keeper::Keeper(Parts parts, Policy policy)
    : common_{std::move(policy),
              std::move(parts.drivers),
              States(std::move(parts.store), parts.now, std::move(parts.changed)),
              {},
              Activity(parts.now)},
      endings_(common_),
      making_(common_, endings_),
      health_(common_, endings_, making_),
      pool_(common_, endings_, making_, OrAskTheSystem(std::move(parts.free_memory))),
      watch_(common_, health_) {}

Keeper::~Keeper() {
  making_.Stop();  // so that nobody waits for what nobody makes any more
  health_.WriteActivity();
}

Result<std::unique_ptr<Sandboxes>> Sandboxes::Open(Parts parts, Policy policy) {
  if (parts.drivers.empty()) return Invalid("there is no driver to make sandboxes with");
  auto keeper = std::make_unique<Keeper>(std::move(parts), std::move(policy));
  TRY(keeper->Start());
  return keeper;
}

Status Keeper::Start() {
  for (const Policy::Pool& pool : common_.policy.pools) {
    TRY(CheckWish(pool.wish));
    if (!pool.wish.driver.empty() && !common_.DriverOf(pool.wish.driver)) {
      return Invalid("a pool asks for a driver that is not there: " + pool.wish.driver);
    }
  }
  // Every sandbox takes some. Where they cannot be had, there are fewer sandboxes.
  static_cast<void>(platform::RaiseOpenFiles());
  watch_.Listen();
  TRY(Reconcile(common_, endings_));
  watch_.Start();
  pool_.Start();
  return {};
}

void Keeper::CheckNow() {
  watch_.AttendToDead();
  health_.Look();
}

Result<Sandbox> Keeper::Begin(const For& whose, const Wish& wish) {
  TRY_ASSIGN(Begun begun, BeginOrTake(whose, wish));
  return std::move(begun.sandbox);
}

Result<Sandbox> Keeper::Create(const For& whose, const Wish& wish) {
  TRY_ASSIGN(Begun begun, BeginOrTake(whose, wish));
  if (!begun.job) return std::move(begun.sandbox);
  TRY(making_.Wait(begun.job));
  FaultPoint("create.told");
  return common_.states.store().FindAnySandbox(begun.sandbox.id);
}

Result<Keeper::Begun> Keeper::BeginOrTake(const For& whose, Wish wish) {
  TRY(CheckWish(wish));
  if (wish.driver.empty()) wish.driver = common_.drivers.front()->name();
  auto driver = common_.DriverOf(wish.driver);
  if (!driver) return Invalid("there is no driver " + wish.driver);
  FaultPoint("create.asked");
  // Somebody else may take the room that was made; as often as there is any, it is made again.
  for (std::size_t tries = 0;; ++tries) {
    auto begun = [&]() -> Result<Begun> {
      if (pool_.Serves(PoolKey(wish))) {
        auto taken = Take(whose, wish);
        if (taken) return Begun{std::move(*taken), nullptr};
        if (taken.error().code != ErrorCode::kNotFound) return std::move(taken.error());
      }
      return BeginMaking(whose, wish, driver);
    }();
    if (begun || begun.error().code != ErrorCode::kLimitExceeded) return begun;
    if (tries > common_.policy.most_per_user) return std::move(begun.error());
    TRY(MakeRoom(whose.user, begun.error()));
    FaultPoint("create.room_made");
  }
}

Result<Sandbox> Keeper::Take(const For& whose, const Wish& wish) {
  store::Handover handover;
  handover.user = whose.user;
  handover.conversation = whose.conversation;
  handover.terms = Encode(wish);
  handover.most = common_.policy.most_per_user;
  handover.now = common_.states.now();
  handover.expires = handover.now + common_.LifetimeOf(wish).count();
  FaultPoint("take.begun");
  TRY_ASSIGN(Sandbox sandbox,
             common_.states.store().TakePooled(wish.driver, PoolKey(wish), handover));
  FaultPoint("take.taken");
  common_.activity.Admit(sandbox.id, common_.IdleOf(wish));
  common_.states.Tell(sandbox);
  pool_.Wake();
  FaultPoint("take.told");
  return sandbox;
}

Result<Keeper::Begun> Keeper::BeginMaking(const For& whose, const Wish& wish,
                                          std::shared_ptr<Driver> driver) {
  Sandbox sandbox{NewSandboxId()};
  sandbox.user = whose.user;
  sandbox.conversation = whose.conversation;
  sandbox.driver = wish.driver;
  sandbox.terms = Encode(wish);
  sandbox.created = sandbox.changed = sandbox.active = common_.states.now();
  TRY(common_.states.Add(sandbox, common_.policy.most_per_user));
  FaultPoint("create.recorded");
  TRY_ASSIGN(auto job, making_.Start(sandbox.id, wish, std::move(driver)));
  return Begun{std::move(sandbox), std::move(job)};
}

void Keeper::ShowActivity(Sandbox& sandbox) const {
  if (const auto last = common_.activity.LastActive(sandbox.id)) {
    sandbox.active = std::max(sandbox.active, *last);
  }
}

Result<Sandbox> Keeper::Find(std::string_view user, const SandboxId& id) {
  TRY_ASSIGN(Sandbox sandbox, common_.states.store().FindSandbox(user, id));
  ShowActivity(sandbox);
  return sandbox;
}

Result<std::vector<Sandbox>> Keeper::List(const store::SandboxFilter& filter) {
  TRY_ASSIGN(std::vector<Sandbox> sandboxes, common_.states.store().ListSandboxes(filter));
  for (Sandbox& sandbox : sandboxes) ShowActivity(sandbox);
  return sandboxes;
}

Status Keeper::End(std::string_view user, const SandboxId& id, std::string_view reason) {
  TRY(common_.states.store().FindSandbox(user, id));
  Status marked = endings_.Mark(id, {reason, ""});
  if (!marked && marked.error().code != ErrorCode::kStaleFile) return marked;
  // Whoever is making it removes it, once the driver has let go of it.
  [[maybe_unused]] const Status made = making_.WaitFor(id);
  if (making_.IsUnderWay(id)) {
    Error error;
    error.code = ErrorCode::kTimeout;
    error.op = "end";
    error.detail = "it is still being made, and will be removed after that";
    return error;
  }
  TRY(endings_.Finish(id));
  FaultPoint("end.told");
  return {};
}

Result<Sandbox> Keeper::Renew(std::string_view user, const SandboxId& id,
                              std::chrono::seconds from_now) {
  if (from_now.count() <= 0) return Invalid("a sandbox is renewed for a second at least");
  TRY(common_.states.store().FindSandbox(user, id));
  FaultPoint("renew.begun");
  const std::chrono::milliseconds longer = std::min(from_now, common_.policy.lifetime);
  TRY_ASSIGN(
      Sandbox renewed,
      common_.states.Move(id, {SandboxState::kReady, SandboxState::kPaused}, [&](Sandbox& sandbox) {
        sandbox.expires = common_.states.now() + longer.count();
      }));
  FaultPoint("renew.recorded");
  return renewed;
}

}  // namespace cordon::provision
