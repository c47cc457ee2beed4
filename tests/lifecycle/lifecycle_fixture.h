// Sandboxes over a store on disk and a fake driver, with a clock that the test turns.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "provision/sandboxes.h"
#include "store/store_fixture_test.h"
#include "tests/lifecycle/fake_driver.h"
#include "tests/tree.h"

namespace cordon::provision {

using store::Said;
using store::Sandbox;
using store::SandboxState;

class LifecycleTest : public ::testing::Test {
 protected:
  void SetUp() override {
    tree_.Dir("world").Dir("state");
    policy_.check = std::chrono::hours(1);  // looks are the tests' own
    Start();
  }
  void TearDown() override {
    driver_->Behave({});
    sandboxes_.reset();
  }

  // As a new process would, on what an earlier one has left.
  Result<void> TryStart() {
    sandboxes_.reset();
    store_ = store::Store::Open(tree_.At("state/store.db")).value();
    for (const char* name : {"a", "b"}) {
      [[maybe_unused]] auto added = store_->AddUser({std::string("usr_") + name, name, 1});
    }
    driver_ = std::make_shared<FakeDriver>(tree_.At("world"));
    Sandboxes::Parts parts;
    parts.store = store_;
    parts.drivers = {driver_};
    parts.now = [this] { return now_.load(); };
    parts.changed = [this](const Sandbox& sandbox) {
      const std::lock_guard<std::mutex> lock(mutex_);
      told_.emplace_back(sandbox.id, sandbox.state);
    };
    parts.free_memory = [this] { return free_memory_.load(); };
    auto opened = Sandboxes::Open(std::move(parts), policy_);
    if (!opened) return std::move(opened.error());
    sandboxes_ = std::move(*opened);
    return {};
  }
  void Start() { ASSERT_DONE(TryStart()); }

  Sandbox Make(const std::string& user = "usr_a", const Wish& wish = {}) {
    auto made = sandboxes_->Create({user, {}}, wish);
    EXPECT_TRUE(made) << Said(made);
    return std::move(made).value();
  }
  Sandbox Record(const SandboxId& id) { return store_->FindAnySandbox(id).value(); }
  SandboxState StateOf(const SandboxId& id) { return Record(id).state; }
  std::vector<Found> World() { return driver_->List().value(); }
  void Pass(std::chrono::milliseconds time) { now_ += time.count(); }
  std::vector<SandboxState> ToldOf(const SandboxId& id) {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::vector<SandboxState> states;
    for (const auto& [told, state] : told_) {
      if (told == id) states.push_back(state);
    }
    return states;
  }
  // For what happens in other threads.
  template <typename Condition>
  static bool Eventually(Condition condition) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!condition()) {
      if (std::chrono::steady_clock::now() > until) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return true;
  }

  testing::Tree tree_;
  Policy policy_;
  std::atomic<store::Time> now_ = 1'000'000;
  std::atomic<std::uint64_t> free_memory_ = std::uint64_t{64} << 30;
  std::shared_ptr<store::Store> store_;
  std::shared_ptr<FakeDriver> driver_;
  std::unique_ptr<Sandboxes> sandboxes_;
  std::mutex mutex_;
  std::vector<std::pair<SandboxId, SandboxState>> told_;  // guarded by mutex_
};

}  // namespace cordon::provision
