// How sandboxes end, and what is remembered of them.
#include "provision/reasons.h"
#include "tests/lifecycle/invariants.h"
#include "tests/lifecycle/lifecycle_fixture.h"

namespace cordon::provision {
namespace {

using Telling = FakeDriver::Telling;

class EndTest : public LifecycleTest {};

TEST_F(EndTest, LeavesATombstone) {
  const Sandbox sandbox = Make();
  ASSERT_DONE(store_->ReservePort(sandbox.id, {30000}));
  Pass(std::chrono::seconds(5));
  ASSERT_DONE(sandboxes_->End("usr_a", sandbox.id, "user_delete"));
  const Sandbox tombstone = sandboxes_->Find("usr_a", sandbox.id).value();
  EXPECT_EQ(tombstone.state, SandboxState::kTerminated);
  EXPECT_EQ(tombstone.reason, "user_delete");
  EXPECT_EQ(tombstone.ended, now_.load());
  EXPECT_EQ(tombstone.last_lines, "the last line of " + sandbox.id.text());
  EXPECT_FALSE(tombstone.port);
  EXPECT_TRUE(World().empty());
  EXPECT_EQ(ToldOf(sandbox.id).back(), SandboxState::kTerminated);
  ASSERT_DONE(sandboxes_->End("usr_a", sandbox.id, "again"));
  EXPECT_EQ(Record(sandbox.id).reason, "user_delete");
}

TEST_F(EndTest, IsForItsUserAlone) {
  const Sandbox sandbox = Make();
  const auto another = sandboxes_->End("usr_b", sandbox.id, "user_delete");
  const auto missing = sandboxes_->End("usr_b", store::IdOf(1), "user_delete");
  ASSERT_FALSE(another);
  ASSERT_FALSE(missing);
  EXPECT_EQ(Said(another), Said(missing));
  EXPECT_EQ(another.error().code, ErrorCode::kNotFound);
  EXPECT_CODE(sandboxes_->Find("usr_b", sandbox.id), ErrorCode::kNotFound);
  EXPECT_CODE(sandboxes_->Pause("usr_b", sandbox.id), ErrorCode::kNotFound);
  EXPECT_CODE(sandboxes_->Resume("usr_b", sandbox.id), ErrorCode::kNotFound);
  EXPECT_CODE(sandboxes_->Renew("usr_b", sandbox.id, std::chrono::seconds(5)),
              ErrorCode::kNotFound);
  EXPECT_EQ(StateOf(sandbox.id), SandboxState::kReady);
}

TEST_F(EndTest, IsTriedAgainWhenTheDriverFails) {
  const Sandbox sandbox = Make();
  FakeDriver::Manners stubborn;
  stubborn.destroy = FakeDriver::Manners::Rest::kFails;
  driver_->Behave(stubborn);
  EXPECT_CODE(sandboxes_->End("usr_a", sandbox.id, "user_delete"), ErrorCode::kIoError);
  EXPECT_EQ(StateOf(sandbox.id), SandboxState::kTerminating);
  EXPECT_CODE(sandboxes_->Use("usr_a", sandbox.id), ErrorCode::kSandboxRequired);
  driver_->Behave({});
  sandboxes_->CheckNow();
  EXPECT_EQ(StateOf(sandbox.id), SandboxState::kTerminated);
  ExpectSettled(*store_, *driver_, 20);
}

TEST_F(EndTest, DeathIsNoticedAndExplained) {
  const Sandbox crashed = Make(), starved = Make();
  Ending ending;
  ending.exit_status = 139;
  ending.memory = Ending::Memory::kEnough;
  ending.last_lines = "Segmentation fault";
  driver_->Die(crashed.id, ending, Telling::kTold);
  ending = {};
  ending.exit_status = 137;
  ending.memory = Ending::Memory::kRanOut;
  ending.last_lines = std::string(20'000, 'x') + "the end";
  driver_->Die(starved.id, ending, Telling::kTold);
  // By the watch's thread, and not at a look.
  EXPECT_TRUE(Eventually([&] {
    return StateOf(crashed.id) == SandboxState::kTerminated &&
           StateOf(starved.id) == SandboxState::kTerminated;
  }));
  const Sandbox first = Record(crashed.id), second = Record(starved.id);
  EXPECT_EQ(first.reason, reasons::kDied);
  EXPECT_EQ(first.exit_status, 139);
  EXPECT_EQ(first.memory, Sandbox::Memory::kEnough);
  EXPECT_EQ(first.last_lines, "Segmentation fault");
  EXPECT_EQ(second.reason, reasons::kOutOfMemory);
  EXPECT_EQ(second.exit_status, 137);
  EXPECT_EQ(second.memory, Sandbox::Memory::kRanOut);
  EXPECT_EQ(second.last_lines.size(), 16u * 1024);
  EXPECT_TRUE(second.last_lines.ends_with("the end"));
  ExpectSettled(*store_, *driver_, 20);
}

TEST_F(EndTest, DeathThatNobodyToldOfIsFoundAtALook) {
  const Sandbox dead = Make(), vanished = Make(), paused = Make(), alive = Make();
  ASSERT_DONE(sandboxes_->Pause("usr_a", paused.id));
  driver_->Die(dead.id, {}, Telling::kUnnoticed);
  driver_->Vanish(vanished.id);
  driver_->Die(paused.id, {}, Telling::kUnnoticed);
  sandboxes_->CheckNow();
  EXPECT_EQ(Record(dead.id).reason, reasons::kDied);
  EXPECT_EQ(Record(vanished.id).reason, reasons::kLost);
  EXPECT_EQ(StateOf(paused.id), SandboxState::kTerminated);
  EXPECT_EQ(StateOf(alive.id), SandboxState::kReady);
  ExpectSettled(*store_, *driver_, 20);
}

TEST_F(EndTest, ALookRemovesWhatTheStoreDoesNotWant) {
  const Sandbox alive = Make();
  ASSERT_DONE(FakeDriver(tree_.At("world")).Create(Terms{store::IdOf(1)}));
  sandboxes_->CheckNow();
  EXPECT_EQ(World().size(), 1u);
  EXPECT_EQ(StateOf(alive.id), SandboxState::kReady);
}

TEST_F(EndTest, ALookHarmsNothingWhenTheDriverCannotAnswer) {
  const Sandbox alive = Make();
  FakeDriver::Manners mute;
  mute.list = FakeDriver::Manners::Rest::kFails;
  driver_->Behave(mute);
  sandboxes_->CheckNow();
  EXPECT_EQ(StateOf(alive.id), SandboxState::kReady);
}

TEST_F(EndTest, TombstonesArePrunedAfterAWhile) {
  const Sandbox sandbox = Make();
  ASSERT_DONE(sandboxes_->End("usr_a", sandbox.id, "user_delete"));
  Pass(policy_.tombstones);
  sandboxes_->CheckNow();
  EXPECT_TRUE(sandboxes_->Find("usr_a", sandbox.id));
  Pass(std::chrono::milliseconds(1));
  sandboxes_->CheckNow();
  EXPECT_CODE(sandboxes_->Find("usr_a", sandbox.id), ErrorCode::kNotFound);
}

}  // namespace
}  // namespace cordon::provision
