#include "provision/making.h"

#include <utility>

#include "base/try.h"
#include "provision/facts_text.h"
#include "provision/fault_point.h"
#include "provision/reasons.h"

namespace cordon::provision {
namespace {

using store::Sandbox;
using store::SandboxState;

constexpr net::WorkerPool::Limits kLimits{64, 4096};

Error Refuse(ErrorCode code, std::string detail) {
  Error error;
  error.code = code;
  error.op = "create";
  error.detail = std::move(detail);
  return error;
}

}  // namespace

Making::Making(Common& common, Endings& endings)
    : common_(common), endings_(endings), workers_(std::make_unique<net::WorkerPool>(kLimits)) {}

Making::~Making() {
  Stop();
  workers_.reset();
}

Result<std::shared_ptr<Making::Job>> Making::Start(const SandboxId& id, const Wish& wish,
                                                   std::shared_ptr<Driver> driver) {
  auto job = std::make_shared<Job>();
  const std::chrono::milliseconds patience = common_.policy.provisioning;
  job->deadline = common_.states.now() + patience.count();
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!stopped_) jobs_.emplace(id, job);
  }
  const bool begun = IsWanted(*job) && workers_->Submit([this, id, wish,
                                                         driver = std::move(driver), job] {
    Run(id, wish, *driver, *job);
  });
  if (begun) return job;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    jobs_.erase(id);
  }
  const Turns::Turn turn = common_.turns.Take(id);
  return Fail(id, Refuse(ErrorCode::kLimitExceeded, "too many sandboxes are being made")).error();
}

bool Making::IsWanted(const Job& job) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return !stopped_ && !job.outcome;
}

// What is not told on the way: nobody begins with one that was given up while it waited, and after
// a stop what is left pending is the next process's.
void Making::Run(const SandboxId& id, const Wish& wish, Driver& driver, Job& job) {
  FaultPoint("create.begun");
  Status outcome;
  if (IsWanted(job)) {
    outcome = Make(id, wish, driver);
  } else {
    outcome = endings_.Finish(id);
  }
  FaultPoint("create.settled");
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!job.outcome) job.outcome = std::move(outcome);
  jobs_.erase(id);
  told_.notify_all();
}

Status Making::Make(const SandboxId& id, const Wish& wish, Driver& driver) {
  auto facts = driver.Create(TermsOf(id, wish));
  const Turns::Turn turn = common_.turns.Take(id);
  if (!facts) {
    FaultPoint("create.failed");
    return Fail(id, std::move(facts.error()));
  }
  FaultPoint("create.made");
  return Record(id, wish, driver, *facts);
}

Status Making::Record(const SandboxId& id, const Wish& wish, Driver& driver, const Facts& facts) {
  common_.activity.Admit(id, common_.IdleOf(wish));
  auto ready = common_.states.Move(id, {SandboxState::kPending}, [&](Sandbox& sandbox) {
    sandbox.state = SandboxState::kReady;
    sandbox.handle = facts.handle;
    sandbox.facts = EncodeFacts(facts);
    sandbox.ready = common_.states.now();
    if (sandbox.pooled == Sandbox::Pooled::kNo) {
      sandbox.expires = *sandbox.ready + common_.LifetimeOf(wish).count();
    }
  });
  if (ready) {
    FaultPoint("create.ready");
    return {};
  }
  common_.activity.Remove(id);
  FaultPoint("create.unwanted");
  if (ready.error().code == ErrorCode::kStaleFile) {
    TRY(endings_.FinishHeld(id));
    return Refuse(ErrorCode::kNotFound, "the sandbox was ended while it was being made");
  }
  // The store fails. What stays pending in it is settled at a later look.
  [[maybe_unused]] const Status removed = driver.Destroy(id);
  return std::move(ready.error());
}

// Gives back `error`, whatever else fails: that is what the caller can do something about.
Status Making::Fail(const SandboxId& id, Error error) {
  const Why why{reasons::kCreateFailed, error.detail};
  const Status marked = endings_.Mark(id, why);
  if (marked || marked.error().code == ErrorCode::kStaleFile) {
    [[maybe_unused]] const Status removed = endings_.FinishHeld(id);
  }
  return error;
}

Status Making::Wait(const std::shared_ptr<Job>& job) {
  std::unique_lock<std::mutex> lock(mutex_);
  told_.wait(lock, [&] { return job->outcome.has_value(); });
  return *job->outcome;
}

Status Making::WaitFor(const SandboxId& id) {
  std::shared_ptr<Job> job;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = jobs_.find(id);
    if (found == jobs_.end()) return {};
    job = found->second;
  }
  return Wait(job);
}

bool Making::IsUnderWay(const SandboxId& id) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return jobs_.contains(id);
}

void Making::Tell(Job& job, Status outcome) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!job.outcome) job.outcome = std::move(outcome);
  told_.notify_all();
}

void Making::GiveUpOverdue() {
  std::map<SandboxId, std::shared_ptr<Job>> overdue;
  {
    const store::Time now = common_.states.now();
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const auto& [id, job] : jobs_) {
      if (!job->outcome && job->deadline <= now) overdue.emplace(id, job);
    }
  }
  for (const auto& [id, job] : overdue) {
    const Error late = Refuse(ErrorCode::kTimeout, "the sandbox was not ready in time");
    const Status marked = endings_.Mark(id, {reasons::kProvisionTimeout, late.detail});
    // It may have become ready just now. One that its user has ended is given up as well.
    if (!marked && marked.error().code != ErrorCode::kStaleFile) continue;
    const auto sandbox = common_.states.store().FindAnySandbox(id);
    if (!sandbox || sandbox->state != SandboxState::kTerminating) continue;
    FaultPoint("create.given_up");
    Tell(*job, late);
    if (auto driver = common_.DriverOf(sandbox->driver)) {
      workers_->Submit([driver, id = id] { [[maybe_unused]] auto done = driver->Destroy(id); });
    }
  }
}

void Making::Stop() {
  const std::lock_guard<std::mutex> lock(mutex_);
  stopped_ = true;
  for (const auto& [id, job] : jobs_) {
    if (!job->outcome) job->outcome = Refuse(ErrorCode::kTimeout, "the server is being stopped");
  }
  told_.notify_all();
}

}  // namespace cordon::provision
