#include "bench/warm_pool.h"

#include <chrono>
#include <string>
#include <thread>

#include "bench/provision_stage.h"
#include "provision/sandboxes.h"
#include "store/store.h"

namespace cordon::bench {
namespace {

constexpr const char* kUser = "usr_bench";
constexpr std::size_t kPool = 2;
constexpr std::chrono::seconds kPatience{120};

store::Time Now() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

std::size_t Waiting(store::Store& store) {
  store::SandboxFilter filter;
  filter.pooled = store::Sandbox::Pooled::kWaiting;
  filter.states = {store::SandboxState::kReady};
  const auto found = store.ListSandboxes(filter);
  return found ? found->size() : 0;
}

void AwaitPool(store::Store& store) {
  const auto until = std::chrono::steady_clock::now() + kPatience;
  while (Waiting(store) < kPool) {
    if (std::chrono::steady_clock::now() > until) FailProvision("the pool does not fill");
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

// A pool outlives the process that made it.
void EndAll(provision::Driver& driver) {
  const auto left = driver.List();
  if (!left) return;
  for (const provision::Found& one : *left) static_cast<void>(driver.Destroy(one.id));
}

}  // namespace

std::vector<double> HandOuts(const std::shared_ptr<provision::Driver>& driver,
                             const provision::Wish& wish, int rounds) {
  const ScratchDirectory scratch;
  auto opened = store::Store::Open(scratch.At("store.db"));
  if (!opened) FailProvision(opened.error().detail);
  const std::shared_ptr<store::Store> store = std::move(*opened);
  if (!store->AddUser({kUser, "bench", Now()})) FailProvision("no user");
  std::vector<double> times;
  {
    provision::Sandboxes::Parts parts;
    parts.store = store;
    parts.drivers = {driver};
    parts.now = Now;
    provision::Policy policy;
    policy.pools.push_back({wish, kPool});
    policy.keep_free = 0;
    auto sandboxes = provision::Sandboxes::Open(std::move(parts), policy);
    if (!sandboxes) FailProvision(sandboxes.error().detail);
    for (int round = 0; round < rounds; ++round) {
      AwaitPool(*store);
      std::string made;
      times.push_back(MillisecondsOf([&] {
        const auto given = (*sandboxes)->Create({kUser, std::nullopt}, wish);
        if (!given) FailProvision(given.error().detail);
        made = given->id.text();
      }));
      const Status ended = (*sandboxes)->End(kUser, SandboxId::Parse(made).value(), "user_delete");
      if (!ended) FailProvision(ended.error().detail);
    }
  }
  EndAll(*driver);
  return times;
}

}  // namespace cordon::bench
