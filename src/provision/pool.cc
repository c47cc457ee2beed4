#include "provision/pool.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/try.h"
#include "provision/fault_point.h"
#include "provision/new_id.h"
#include "provision/reasons.h"

namespace cordon::provision {
namespace {

using store::Sandbox;
using store::SandboxState;

constexpr std::chrono::milliseconds kFirstSetback{1'000}, kLongestSetback{300'000};

}  // namespace

Pool::Pool(Common& common, Endings& endings, Making& making, FreeMemory free_memory)
    : common_(common), endings_(endings), making_(making), free_memory_(std::move(free_memory)) {
  for (const Policy::Pool& asked : common_.policy.pools) {
    Shelf shelf;
    shelf.wish = asked.wish;
    if (shelf.wish.driver.empty()) shelf.wish.driver = common_.drivers.front()->name();
    shelf.key = PoolKey(shelf.wish);
    shelf.size = asked.size;
    shelves_.push_back(std::move(shelf));
  }
}

Pool::~Pool() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    stop_ = true;
    wanted_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
}

void Pool::Start() {
  thread_ = std::thread([this] { Run(); });
}

void Pool::Wake() {
  const std::lock_guard<std::mutex> lock(mutex_);
  woken_ = true;
  wanted_.notify_all();
}

bool Pool::Serves(std::string_view key) const {
  return std::any_of(shelves_.begin(), shelves_.end(),
                     [&](const Shelf& shelf) { return shelf.key == key && shelf.size > 0; });
}

bool Pool::Stopped() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return stop_;
}

void Pool::Run() {
  EndSurplus();
  while (!shelves_.empty() && !Stopped()) {
    for (Shelf& shelf : shelves_) Fill(shelf);
    std::unique_lock<std::mutex> lock(mutex_);
    wanted_.wait_for(lock, common_.policy.check, [&] { return stop_ || woken_; });
    woken_ = false;
  }
}

Result<std::vector<Sandbox>> Pool::Waiting() const {
  store::SandboxFilter filter;
  filter.pooled = Sandbox::Pooled::kWaiting;
  filter.states = {SandboxState::kPending, SandboxState::kReady};
  return common_.states.All(filter);
}

void Pool::EndSurplus() {
  const auto waiting = Waiting();
  if (!waiting) return;
  std::map<std::string, std::size_t> left;
  for (const Shelf& shelf : shelves_) left[shelf.key] += shelf.size;
  for (const Sandbox& sandbox : *waiting) {
    if (left[sandbox.terms] > 0) {
      --left[sandbox.terms];
      continue;
    }
    // It may be taken meanwhile, and then is nobody's to end but its user's.
    const Turns::Turn turn = common_.turns.Take(sandbox.id);
    Sandbox surplus = sandbox;
    surplus.state = SandboxState::kTerminating;
    surplus.reason = reasons::kPoolShrunk;
    surplus.changed = common_.states.now();
    if (!common_.states.store().Change(surplus, {SandboxState::kReady})) continue;
    common_.activity.Remove(sandbox.id);
    common_.states.Tell(surplus);
    FaultPoint("pool.surplus_marked");
    [[maybe_unused]] const Status ended = endings_.FinishHeld(sandbox.id);
  }
}

bool Pool::HasMeans(const Shelf& shelf) const {
  return free_memory_() >= common_.policy.keep_free + shelf.wish.resources.memory;
}

void Pool::Fill(Shelf& shelf) {
  while (!Stopped() && common_.states.now() >= shelf.not_before && HasMeans(shelf)) {
    const auto waiting = Waiting();
    if (!waiting) return;
    const auto there = std::count_if(waiting->begin(), waiting->end(), [&](const Sandbox& sandbox) {
      return sandbox.terms == shelf.key;
    });
    if (static_cast<std::size_t>(there) >= shelf.size) return;
    if (MakeOne(shelf)) {
      shelf.setback = std::chrono::milliseconds(0);
      continue;
    }
    shelf.setback = std::clamp(shelf.setback * 2, kFirstSetback, kLongestSetback);
    shelf.not_before = common_.states.now() + shelf.setback.count();
  }
}

Status Pool::MakeOne(const Shelf& shelf) {
  const auto driver = common_.DriverOf(shelf.wish.driver);
  Sandbox sandbox{NewSandboxId()};
  sandbox.driver = shelf.wish.driver;
  sandbox.terms = shelf.key;
  sandbox.pooled = Sandbox::Pooled::kWaiting;
  sandbox.created = sandbox.changed = sandbox.active = common_.states.now();
  FaultPoint("pool.begun");
  TRY(common_.states.Add(sandbox, 0));
  FaultPoint("pool.recorded");
  TRY_ASSIGN(const auto job, making_.Start(sandbox.id, shelf.wish, driver));
  return making_.Wait(job);
}

}  // namespace cordon::provision
