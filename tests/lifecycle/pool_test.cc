// Sandboxes made ahead.
#include "provision/reasons.h"
#include "tests/lifecycle/invariants.h"
#include "tests/lifecycle/lifecycle_fixture.h"

namespace cordon::provision {
namespace {

class WarmPool : public LifecycleTest {
 protected:
  void Open(std::size_t size, const Wish& wish = {}) {
    policy_.pools.clear();
    if (size > 0) policy_.pools.push_back({wish, size});
    Start();
  }
  std::size_t Waiting() {
    store::SandboxFilter filter;
    filter.pooled = Sandbox::Pooled::kWaiting;
    filter.states = {SandboxState::kReady};
    return store_->ListSandboxes(filter).value().size();
  }
};

TEST_F(WarmPool, HandsOutAtOnceAndIsRefilled) {
  Open(2);
  ASSERT_TRUE(Eventually([&] { return Waiting() == 2; }));
  FakeDriver::Manners manners;
  manners.creation = FakeDriver::Manners::Creation::kHangs;
  driver_->Behave(manners);
  Pass(std::chrono::seconds(50));
  Wish wish;
  wish.lifetime = std::chrono::seconds(10);
  const Sandbox first = Make("usr_a", wish), second = Make("usr_b");  // though the driver hangs
  EXPECT_EQ(first.state, SandboxState::kReady);
  EXPECT_EQ(first.user, "usr_a");
  EXPECT_EQ(first.expires, now_.load() + 10'000) << "from when it was handed out";
  EXPECT_EQ(second.user, "usr_b");
  EXPECT_EQ(Waiting(), 0u);
  driver_->Behave({});
  EXPECT_TRUE(Eventually([&] { return Waiting() == 2; }));
  ASSERT_DONE(sandboxes_->Use("usr_a", first.id));
  EXPECT_CODE(sandboxes_->Use("usr_b", first.id), ErrorCode::kSandboxRequired);
}

TEST_F(WarmPool, ServesOnlyWishesLikeItsOwn) {
  Open(1);
  ASSERT_TRUE(Eventually([&] { return Waiting() == 1; }));
  Wish other;
  other.image = "another";
  const auto before = driver_->created();
  Make("usr_a", other);
  EXPECT_EQ(driver_->created(), before + 1);
  EXPECT_EQ(Waiting(), 1u);
}

TEST_F(WarmPool, IsNobodysAndDoesNotGrowIdle) {
  Open(1);
  ASSERT_TRUE(Eventually([&] { return Waiting() == 1; }));
  const SandboxId id = World().at(0).id;
  for (const char* user : {"usr_a", "usr_b", ""}) {
    EXPECT_CODE(sandboxes_->Find(user, id), ErrorCode::kNotFound);
    EXPECT_CODE(sandboxes_->Use(user, id), ErrorCode::kSandboxRequired);
    EXPECT_CODE(sandboxes_->End(user, id, "user_delete"), ErrorCode::kNotFound);
  }
  Pass(policy_.lifetime * 3);
  sandboxes_->CheckNow();
  EXPECT_EQ(Waiting(), 1u);
  const Sandbox taken = Make();
  EXPECT_EQ(taken.id, id);
  sandboxes_->CheckNow();
  EXPECT_EQ(StateOf(id), SandboxState::kReady) << "its idleness begins when it is taken";
}

TEST_F(WarmPool, HoldsCapsAndMakesRoom) {
  policy_.most_per_user = 1;
  Open(1);
  ASSERT_TRUE(Eventually([&] { return Waiting() == 1; }));
  const Sandbox first = Make();
  ASSERT_TRUE(Eventually([&] { return Waiting() == 1; }));
  EXPECT_CODE(sandboxes_->Create({"usr_a", {}}, {}), ErrorCode::kLimitExceeded);
  Pass(policy_.evictable_after);
  const Sandbox second = Make();
  EXPECT_EQ(Record(first.id).reason, reasons::kEvicted);
  EXPECT_EQ(StateOf(second.id), SandboxState::kReady);
}

TEST_F(WarmPool, IsNotFilledWhenTheMachineIsShort) {
  Wish wish;
  wish.resources.memory = std::uint64_t{1} << 30;
  free_memory_ = policy_.keep_free + wish.resources.memory - 1;
  policy_.check = std::chrono::seconds(1);
  Open(2, wish);
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  EXPECT_EQ(driver_->created(), 0u);
  free_memory_ = policy_.keep_free + wish.resources.memory;
  EXPECT_TRUE(Eventually([&] { return Waiting() == 2; }));
}

TEST_F(WarmPool, WaitsAfterAFailure) {
  Open(0);
  policy_.pools.push_back({{}, 1});
  FakeDriver::Manners failing;
  failing.creation = FakeDriver::Manners::Creation::kFails;
  // The driver must fail from the beginning: what it makes is told by the records.
  sandboxes_.reset();
  driver_->Behave(failing);
  Sandboxes::Parts parts;
  parts.store = store_;
  parts.drivers = {driver_};
  parts.now = [this] { return now_.load(); };
  parts.free_memory = [this] { return free_memory_.load(); };
  sandboxes_ = Sandboxes::Open(std::move(parts), policy_).value();
  const auto failures = [&] {
    store::SandboxFilter filter;
    filter.states = {SandboxState::kFailed};
    return store_->ListSandboxes(filter).value().size();
  };
  ASSERT_TRUE(Eventually([&] { return failures() == 1; }));
  EXPECT_FALSE(sandboxes_->Create({"usr_a", {}}, {}));
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_EQ(failures(), 2u) << "the pool has tried again at once";
  driver_->Behave({});
  Pass(std::chrono::seconds(2));
  Make();  // cold, and wakes nobody; the pool looks again by itself
  EXPECT_EQ(Waiting(), 0u);
}

TEST_F(WarmPool, IsFoundAgainAndShrunk) {
  Open(3);
  ASSERT_TRUE(Eventually([&] { return Waiting() == 3; }));
  Open(3);
  EXPECT_EQ(Waiting(), 3u);
  EXPECT_EQ(driver_->adopted(), 3u);
  EXPECT_EQ(driver_->created(), 0u);
  Open(1);
  ASSERT_TRUE(Eventually([&] { return Waiting() == 1 && World().size() == 1; }));
  Open(0);
  ASSERT_TRUE(Eventually([&] { return World().empty(); }));
  store::SandboxFilter filter;
  filter.states = {SandboxState::kTerminated};
  ASSERT_TRUE(Eventually([&] { return store_->ListSandboxes(filter).value().size() == 3; }));
  EXPECT_EQ(store_->ListSandboxes(filter).value()[0].reason, reasons::kPoolShrunk);
}

TEST_F(WarmPool, TheDeadAreReplaced) {
  policy_.check = std::chrono::seconds(1);
  Open(1);
  ASSERT_TRUE(Eventually([&] { return Waiting() == 1; }));
  const SandboxId id = World().at(0).id;
  driver_->Die(id, {}, FakeDriver::Telling::kTold);
  EXPECT_TRUE(Eventually([&] { return StateOf(id) == SandboxState::kTerminated; }));
  EXPECT_TRUE(Eventually([&] { return Waiting() == 1; }));
}

}  // namespace
}  // namespace cordon::provision
