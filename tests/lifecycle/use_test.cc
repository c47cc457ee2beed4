// Sandboxes in use, paused and resumed.
#include "provision/reasons.h"
#include "tests/lifecycle/lifecycle_fixture.h"

namespace cordon::provision {
namespace {

class UseTest : public LifecycleTest {};

TEST_F(UseTest, GivesTheSandboxAndItsDriver) {
  const Sandbox sandbox = Make();
  const auto lease = sandboxes_->Use("usr_a", sandbox.id).value();
  EXPECT_EQ(lease.sandbox.id, sandbox.id);
  EXPECT_EQ(lease.driver, driver_);
  EXPECT_TRUE(lease.activity);
}

// None, another's, and every state but ready: one answer, to the letter.
TEST_F(UseTest, OtherwiseAnswersAlwaysTheSame) {
  std::vector<Error> answers;
  const auto ask = [&](const std::string& user, const SandboxId& id) {
    const auto lease = sandboxes_->Use(user, id);
    ASSERT_FALSE(lease);
    answers.push_back(lease.error());
  };
  const Sandbox ready = Make(), paused = Make(), ended = Make(), stuck = Make();
  ask("usr_a", store::IdOf(1));
  ask("usr_b", ready.id);
  ask("", ready.id);
  ASSERT_DONE(sandboxes_->Pause("usr_a", paused.id));
  ask("usr_a", paused.id);
  ask("usr_b", paused.id);
  ASSERT_DONE(sandboxes_->End("usr_a", ended.id, "user_delete"));
  ask("usr_a", ended.id);
  FakeDriver::Manners manners;
  manners.destroy = FakeDriver::Manners::Rest::kFails;
  manners.creation = FakeDriver::Manners::Creation::kHangs;
  driver_->Behave(manners);
  ASSERT_FALSE(sandboxes_->End("usr_a", stuck.id, "user_delete"));
  ask("usr_a", stuck.id);
  const Sandbox pending = sandboxes_->Begin({"usr_a", {}}, {}).value();
  driver_->AwaitCreations(1);
  ask("usr_a", pending.id);
  manners = {};
  manners.creation = FakeDriver::Manners::Creation::kFails;
  driver_->Behave(manners);  // the one that hangs is made
  const auto failed = sandboxes_->Create({"usr_a", {}}, {});
  ASSERT_FALSE(failed);
  store::SandboxFilter filter;
  filter.states = {SandboxState::kFailed};
  ask("usr_a", sandboxes_->List(filter).value().at(0).id);
  ASSERT_EQ(answers.size(), 9u);
  for (const Error& answer : answers) {
    EXPECT_EQ(answer.code, ErrorCode::kSandboxRequired);
    EXPECT_EQ(answer.detail,
              "This operation requires a sandbox environment. Please refresh and try again.");
    EXPECT_EQ(answer.AiMessage(),
              "This operation requires a sandbox environment. Please refresh and try again.");
    EXPECT_EQ(answer.op, answers[0].op);
    EXPECT_EQ(answer.os_errno, 0);
    EXPECT_EQ(answer.rule + answer.component, "");
  }
}

TEST_F(UseTest, PauseAndResume) {
  const Sandbox sandbox = Make();
  EXPECT_EQ(sandboxes_->Pause("usr_a", sandbox.id).value().state, SandboxState::kPaused);
  EXPECT_EQ(Record(sandbox.id).reason, reasons::kUserPause);
  EXPECT_EQ(World().at(0).liveness, Liveness::kPaused);
  ASSERT_DONE(sandboxes_->Pause("usr_a", sandbox.id));
  Pass(policy_.idle * 2);
  sandboxes_->CheckNow();
  EXPECT_EQ(StateOf(sandbox.id), SandboxState::kPaused) << "idle, as its user wants it";
  EXPECT_EQ(sandboxes_->Resume("usr_a", sandbox.id).value().state, SandboxState::kReady);
  EXPECT_EQ(World().at(0).liveness, Liveness::kRunning);
  ASSERT_DONE(sandboxes_->Resume("usr_a", sandbox.id));
  ASSERT_DONE(sandboxes_->Use("usr_a", sandbox.id));
  ASSERT_DONE(sandboxes_->End("usr_a", sandbox.id, "user_delete"));
  EXPECT_CODE(sandboxes_->Pause("usr_a", sandbox.id), ErrorCode::kInvalidArguments);
  EXPECT_CODE(sandboxes_->Resume("usr_a", sandbox.id), ErrorCode::kInvalidArguments);
}

TEST_F(UseTest, PauseThatFailsChangesNothing) {
  const Sandbox sandbox = Make();
  FakeDriver::Manners manners;
  manners.pause = FakeDriver::Manners::Rest::kFails;
  driver_->Behave(manners);
  EXPECT_CODE(sandboxes_->Pause("usr_a", sandbox.id), ErrorCode::kIoError);
  EXPECT_EQ(StateOf(sandbox.id), SandboxState::kReady);
  ASSERT_DONE(sandboxes_->Use("usr_a", sandbox.id));
}

TEST_F(UseTest, ALeaseMayOutliveEverything) {
  const Sandbox sandbox = Make();
  auto lease = sandboxes_->Use("usr_a", sandbox.id).value();
  ASSERT_DONE(sandboxes_->End("usr_a", sandbox.id, "user_delete"));
  auto other = sandboxes_->Use("usr_a", Make().id).value();
  Start();
}

}  // namespace
}  // namespace cordon::provision
