// Idleness, lifetime, and room for another.
#include "provision/reasons.h"
#include "tests/lifecycle/invariants.h"
#include "tests/lifecycle/lifecycle_fixture.h"

namespace cordon::provision {
namespace {

class Idle : public LifecycleTest {};

constexpr std::chrono::milliseconds kMoment{1};

TEST_F(Idle, EndsWhatNobodyUses) {
  const Sandbox used = Make(), unused = Make();
  Pass(policy_.idle - kMoment);
  sandboxes_->CheckNow();
  EXPECT_EQ(StateOf(unused.id), SandboxState::kReady);
  ASSERT_DONE(sandboxes_->Use("usr_a", used.id));  // and let go at once
  Pass(kMoment);
  sandboxes_->CheckNow();
  EXPECT_EQ(StateOf(unused.id), SandboxState::kTerminated);
  EXPECT_EQ(Record(unused.id).reason, reasons::kIdle);
  EXPECT_EQ(StateOf(used.id), SandboxState::kReady);
  EXPECT_EQ(sandboxes_->Find("usr_a", used.id).value().active, now_.load() - 1);
  EXPECT_EQ(Record(used.id).active, now_.load() - 1) << "written down at the look";
}

TEST_F(Idle, NotWhileItIsInUse) {
  const Sandbox sandbox = Make();
  auto lease = sandboxes_->Use("usr_a", sandbox.id).value();
  Pass(policy_.idle * 3);
  sandboxes_->CheckNow();
  EXPECT_EQ(StateOf(sandbox.id), SandboxState::kReady);
  auto second = sandboxes_->Use("usr_a", sandbox.id).value();
  lease = {sandbox, nullptr, nullptr};
  Pass(policy_.idle * 3);
  sandboxes_->CheckNow();
  EXPECT_EQ(StateOf(sandbox.id), SandboxState::kReady);
  second = {sandbox, nullptr, nullptr};
  Pass(policy_.idle);
  sandboxes_->CheckNow();
  EXPECT_EQ(StateOf(sandbox.id), SandboxState::kTerminated);
}

TEST_F(Idle, AsSoonAsWished) {
  Wish wish;
  wish.idle = std::chrono::seconds(10);
  const Sandbox sandbox = Make("usr_a", wish);
  Pass(std::chrono::seconds(10));
  sandboxes_->CheckNow();
  EXPECT_EQ(StateOf(sandbox.id), SandboxState::kTerminated);
}

TEST_F(Idle, CanMeanAPauseUntilItIsUsed) {
  policy_.when_idle = Policy::Idle::kPause;
  Start();
  const Sandbox sandbox = Make();
  Pass(policy_.idle);
  sandboxes_->CheckNow();
  EXPECT_EQ(StateOf(sandbox.id), SandboxState::kPaused);
  EXPECT_EQ(World().at(0).liveness, Liveness::kPaused);
  Pass(policy_.idle);
  sandboxes_->CheckNow();
  EXPECT_EQ(StateOf(sandbox.id), SandboxState::kPaused);
  auto lease = sandboxes_->Use("usr_a", sandbox.id);
  ASSERT_TRUE(lease) << Said(lease);
  EXPECT_EQ(lease->sandbox.state, SandboxState::kReady);
  EXPECT_EQ(StateOf(sandbox.id), SandboxState::kReady);
  EXPECT_EQ(World().at(0).liveness, Liveness::kRunning);
  sandboxes_->CheckNow();
  EXPECT_EQ(StateOf(sandbox.id), SandboxState::kReady);
}

TEST_F(Idle, LifetimeEndsWhatIsInUse) {
  const Sandbox sandbox = Make(), paused = Make();
  ASSERT_DONE(sandboxes_->Pause("usr_a", paused.id));
  const auto lease = sandboxes_->Use("usr_a", sandbox.id).value();
  Pass(policy_.lifetime - kMoment);
  sandboxes_->CheckNow();
  EXPECT_EQ(StateOf(sandbox.id), SandboxState::kReady);
  Pass(kMoment);
  sandboxes_->CheckNow();
  EXPECT_EQ(Record(sandbox.id).reason, reasons::kMaxLifetime);
  EXPECT_EQ(Record(paused.id).reason, reasons::kMaxLifetime);
  EXPECT_TRUE(World().empty());
}

TEST_F(Idle, LifetimeCanBeRenewed) {
  const Sandbox sandbox = Make();
  const auto lease = sandboxes_->Use("usr_a", sandbox.id).value();
  Pass(policy_.lifetime - kMoment);
  EXPECT_EQ(sandboxes_->Renew("usr_a", sandbox.id, std::chrono::seconds(7)).value().expires,
            now_.load() + 7000);
  Pass(kMoment);
  sandboxes_->CheckNow();
  EXPECT_EQ(StateOf(sandbox.id), SandboxState::kReady);
  const std::chrono::milliseconds most = policy_.lifetime;
  EXPECT_EQ(sandboxes_->Renew("usr_a", sandbox.id, policy_.lifetime * 9).value().expires,
            now_.load() + most.count());
  EXPECT_CODE(sandboxes_->Renew("usr_a", sandbox.id, std::chrono::seconds(0)),
              ErrorCode::kInvalidArguments);
  ASSERT_DONE(sandboxes_->End("usr_a", sandbox.id, "user_delete"));
  EXPECT_FALSE(sandboxes_->Renew("usr_a", sandbox.id, std::chrono::seconds(7)));
}

class Room : public LifecycleTest {
 protected:
  void Open(Policy::Full full) {
    policy_.most_per_user = 3;
    policy_.full = full;
    Start();
  }
};

TEST_F(Room, IsMadeOfTheOneIdleLongest) {
  Open(Policy::Full::kEvictIdle);
  const Sandbox first = Make(), second = Make(), third = Make();
  ASSERT_DONE(Result<Sandbox>(Make("usr_b")));
  Pass(policy_.evictable_after);
  ASSERT_DONE(sandboxes_->Use("usr_a", first.id));
  Pass(policy_.evictable_after);
  const auto lease = sandboxes_->Use("usr_a", second.id).value();
  Make();
  EXPECT_EQ(Record(third.id).reason, reasons::kEvicted);
  EXPECT_EQ(StateOf(first.id), SandboxState::kReady);
  EXPECT_EQ(StateOf(second.id), SandboxState::kReady);
  Make();
  EXPECT_EQ(Record(first.id).reason, reasons::kEvicted);
  EXPECT_EQ(StateOf(second.id), SandboxState::kReady) << "in use";
  // The two new ones are too young to go.
  EXPECT_CODE(sandboxes_->Create({"usr_a", {}}, {}), ErrorCode::kLimitExceeded);
  ExpectSettled(*store_, *driver_, 3);
}

TEST_F(Room, IsNotMadeAtOthersCost) {
  Open(Policy::Full::kEvictIdle);
  const Sandbox other = Make("usr_b");
  for (int i = 0; i < 3; ++i) Make();
  EXPECT_CODE(sandboxes_->Create({"usr_a", {}}, {}), ErrorCode::kLimitExceeded);
  EXPECT_EQ(StateOf(other.id), SandboxState::kReady);
}

TEST_F(Room, IsNotMadeWhereThePolicyRefuses) {
  Open(Policy::Full::kRefuse);
  for (int i = 0; i < 3; ++i) Make();
  Pass(policy_.evictable_after * 2);
  const auto refused = sandboxes_->Create({"usr_a", {}}, {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kLimitExceeded);
  EXPECT_EQ(World().size(), 3u);
  ASSERT_DONE(Result<Sandbox>(Make("usr_b")));
}

}  // namespace
}  // namespace cordon::provision
