// Everything at once.
#include <random>
#include <set>
#include <thread>

#include "tests/lifecycle/invariants.h"
#include "tests/lifecycle/lifecycle_fixture.h"

namespace cordon::provision {
namespace {

class Concurrency : public LifecycleTest {
 protected:
  static void InThreads(unsigned count, const std::function<void(unsigned)>& work) {
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < count; ++i) threads.emplace_back(work, i);
    for (std::thread& thread : threads) thread.join();
  }
};

TEST_F(Concurrency, TheCapHoldsAndEachGetsItsOwn) {
  policy_.most_per_user = 5;
  policy_.full = Policy::Full::kRefuse;
  Start();
  std::atomic<unsigned> made = 0, refused = 0;
  std::mutex mutex;
  std::set<SandboxId> ids;
  InThreads(8, [&](unsigned) {
    for (int i = 0; i < 3; ++i) {
      const auto sandbox = sandboxes_->Create({"usr_a", {}}, {});
      if (!sandbox) {
        EXPECT_EQ(sandbox.error().code, ErrorCode::kLimitExceeded) << Said(sandbox);
        ++refused;
        continue;
      }
      ++made;
      const std::lock_guard<std::mutex> lock(mutex);
      EXPECT_TRUE(ids.insert(sandbox->id).second);
    }
  });
  EXPECT_EQ(made, 5u);
  EXPECT_EQ(refused, 19u);
  ExpectSettled(*store_, *driver_, 5);
}

// Eight ask for one more each: each evicts another one, and nobody's is evicted in vain.
TEST_F(Concurrency, EvictionMakesRoomForEach) {
  policy_.most_per_user = 8;
  Start();
  InThreads(8, [&](unsigned) { Make(); });
  Pass(policy_.evictable_after);
  InThreads(8, [&](unsigned) { Make(); });
  store::SandboxFilter filter;
  filter.states = {SandboxState::kReady};
  EXPECT_EQ(store_->ListSandboxes(filter).value().size(), 8u);
  ExpectSettled(*store_, *driver_, 8);
}

// One that is in use is never evicted, nor ended for idleness, however the two fall together.
TEST_F(Concurrency, WhatIsInUseStays) {
  policy_.most_per_user = 1;
  Start();
  for (int round = 0; round < 60; ++round) {
    const Sandbox sandbox = Make();
    Pass(policy_.idle);
    std::optional<Result<Sandboxes::Lease>> lease;
    std::thread user([&] { lease = sandboxes_->Use("usr_a", sandbox.id); });
    std::thread looker([&] { sandboxes_->CheckNow(); });
    std::thread rival([&] { [[maybe_unused]] auto other = sandboxes_->Create({"usr_a", {}}, {}); });
    user.join();
    looker.join();
    rival.join();
    if (lease->has_value()) {
      EXPECT_EQ(StateOf(sandbox.id), SandboxState::kReady);
    } else {
      EXPECT_EQ(StateOf(sandbox.id), SandboxState::kTerminated);
      EXPECT_EQ(lease->error().code, ErrorCode::kSandboxRequired);
    }
    lease.reset();
    store::SandboxFilter filter;
    filter.states = {SandboxState::kReady};
    const auto left = store_->ListSandboxes(filter).value();
    for (const Sandbox& one : left) ASSERT_DONE(sandboxes_->End("usr_a", one.id, "user_delete"));
  }
}

TEST_F(Concurrency, OneEndsOnceHoweverManyEndIt) {
  for (int round = 0; round < 10; ++round) {
    const Sandbox sandbox = Make();
    InThreads(6, [&](unsigned thread) {
      if (thread == 0) driver_->Die(sandbox.id, {}, FakeDriver::Telling::kTold);
      if (thread == 1) sandboxes_->CheckNow();
      if (thread < 2) return;
      EXPECT_TRUE(sandboxes_->End("usr_a", sandbox.id, "user_delete"));
    });
    const auto told = ToldOf(sandbox.id);
    EXPECT_EQ(std::count(told.begin(), told.end(), SandboxState::kTerminated), 1);
    EXPECT_EQ(std::count(told.begin(), told.end(), SandboxState::kTerminating), 1);
  }
  ExpectSettled(*store_, *driver_, 20);
}

// Threads do whatever comes to their minds with whatever they know of.
TEST_F(Concurrency, Everything) {
  policy_.most_per_user = 4;
  policy_.pools.push_back({{}, 2});
  policy_.check = std::chrono::seconds(1);
  Start();
  std::mutex mutex;
  std::vector<SandboxId> known;
  InThreads(6, [&](unsigned thread) {
    std::mt19937 random(thread);
    const std::string user = thread % 2 == 0 ? "usr_a" : "usr_b";
    const auto any = [&]() -> std::optional<SandboxId> {
      const std::lock_guard<std::mutex> lock(mutex);
      if (known.empty()) return std::nullopt;
      return known[random() % known.size()];
    };
    for (int step = 0; step < 60; ++step) {
      const unsigned what = random() % 10;
      const auto id = any();
      if (what < 3 || !id) {
        Wish wish;
        if (random() % 2 == 0) wish.image = "cold";
        const auto made = sandboxes_->Create({user, {}}, wish);
        if (!made) continue;
        EXPECT_EQ(made->user, user);
        const std::lock_guard<std::mutex> lock(mutex);
        known.push_back(made->id);
      } else if (what == 3) {
        [[maybe_unused]] auto done = sandboxes_->End(user, *id, "user_delete");
      } else if (what == 4) {
        [[maybe_unused]] auto done = sandboxes_->Pause(user, *id);
      } else if (what == 5) {
        [[maybe_unused]] auto done = sandboxes_->Resume(user, *id);
      } else if (what == 6) {
        driver_->Die(*id, {}, FakeDriver::Telling::kTold);
      } else if (what == 7) {
        Pass(std::chrono::seconds(random() % 120));
        sandboxes_->CheckNow();
      } else {
        const auto lease = sandboxes_->Use(user, *id);
        if (!lease) continue;
        EXPECT_EQ(lease->sandbox.user, user);
        [[maybe_unused]] auto renewed = sandboxes_->Renew(user, *id, std::chrono::hours(1));
      }
    }
  });
  free_memory_ = 0;  // no more for the pool
  const auto settled = [&] {
    store::SandboxFilter filter;
    filter.states = {SandboxState::kPending, SandboxState::kTerminating};
    return store_->ListSandboxes(filter).value().empty();
  };
  EXPECT_TRUE(Eventually(settled));
  sandboxes_->CheckNow();
  ExpectSettled(*store_, *driver_, 4);
  Start();
  ExpectSettled(*store_, *driver_, 4);
}

}  // namespace
}  // namespace cordon::provision
