// What a process makes of what another has left. How each of these comes about is in ADR 13.
#include "provision/reasons.h"
#include "tests/lifecycle/invariants.h"
#include "tests/lifecycle/lifecycle_fixture.h"

namespace cordon::provision {
namespace {

class Recovery : public LifecycleTest {
 protected:
  // Writes the record and the object as a kill could have left them.
  SandboxId Left(SandboxState state, const std::string& object) {
    const SandboxId id = store::IdOf(++next_);
    Sandbox sandbox = store::SandboxOf(next_);
    sandbox.driver = "fake";
    sandbox.state = state;
    sandbox.handle = "fake-" + id.text();
    sandbox.terms = Encode(Wish());
    if (state != SandboxState::kPending) sandbox.ready = 1;
    if (store::HasEnded(state)) {
      sandbox.ended = now_.load();
      sandbox.reason = "user_delete";
    }
    EXPECT_TRUE(store_->AddSandbox(sandbox, 1000));
    Object(id, object);
    return id;
  }
  void Object(const SandboxId& id, const std::string& state) {
    if (!state.empty()) tree_.File("world/" + id.text(), state);
  }
  std::string ObjectOf(const SandboxId& id) { return tree_.Read("world/" + id.text()); }

  std::uint64_t next_ = 0;
};

TEST_F(Recovery, SettlesEveryPairOfRecordAndObject) {
  struct Case {
    SandboxState recorded;
    const char* object;
    SandboxState after;
    const char* object_after;
    std::string_view reason;
  };
  using S = SandboxState;
  const std::vector<Case> cases = {
      {S::kPending, "", S::kFailed, "", reasons::kInterrupted},
      {S::kPending, "half", S::kFailed, "", reasons::kInterrupted},
      {S::kPending, "running", S::kFailed, "", reasons::kInterrupted},
      {S::kPending, "dead", S::kFailed, "", reasons::kInterrupted},
      {S::kReady, "running", S::kReady, "running", ""},
      {S::kReady, "paused", S::kReady, "running", ""},
      {S::kReady, "dead", S::kTerminated, "", reasons::kDied},
      {S::kReady, "half", S::kTerminated, "", reasons::kDied},
      {S::kReady, "", S::kTerminated, "", reasons::kLost},
      {S::kPaused, "paused", S::kPaused, "paused", ""},
      {S::kPaused, "running", S::kPaused, "paused", ""},
      {S::kPaused, "dead", S::kTerminated, "", reasons::kDied},
      {S::kPaused, "", S::kTerminated, "", reasons::kLost},
      {S::kTerminating, "running", S::kTerminated, "", ""},
      {S::kTerminating, "paused", S::kTerminated, "", ""},
      {S::kTerminating, "dead", S::kTerminated, "", ""},
      {S::kTerminating, "half", S::kTerminated, "", ""},
      {S::kTerminating, "", S::kTerminated, "", ""},
      {S::kTerminated, "", S::kTerminated, "", "user_delete"},
      {S::kTerminated, "running", S::kTerminated, "", "user_delete"},
      {S::kFailed, "half", S::kFailed, "", "user_delete"},
  };
  std::vector<SandboxId> ids;
  for (const Case& one : cases) ids.push_back(Left(one.recorded, one.object));
  Start();
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const std::string name =
        std::string(store::StateName(cases[i].recorded)) + " with \"" + cases[i].object + "\"";
    const Sandbox record = Record(ids[i]);
    EXPECT_EQ(record.state, cases[i].after) << name << ": " << store::StateName(record.state);
    EXPECT_EQ(record.reason, cases[i].reason) << name;
    EXPECT_EQ(ObjectOf(ids[i]), cases[i].object_after) << name;
    const bool usable = cases[i].after == S::kReady;
    EXPECT_EQ(sandboxes_->Use("usr_a", ids[i]).has_value(), usable) << name;
  }
  EXPECT_EQ(driver_->adopted(), 4u);
}

TEST_F(Recovery, RemovesOrphans) {
  for (const char* state : {"running", "paused", "dead", "half"}) {
    Object(store::IdOf(++next_), state);
  }
  Start();
  EXPECT_TRUE(World().empty());
  ExpectSettled(*store_, *driver_, 20);
}

TEST_F(Recovery, WhatIsAliveGoesOn) {
  const Sandbox sandbox = Make();
  Pass(policy_.idle - std::chrono::milliseconds(1));
  Start();
  Pass(std::chrono::milliseconds(1));
  sandboxes_->CheckNow();
  ASSERT_DONE(sandboxes_->Use("usr_a", sandbox.id));
  EXPECT_EQ(Record(sandbox.id).expires, sandbox.expires) << "the lifetime is still the same";
}

TEST_F(Recovery, WhatCannotBeAdoptedIsEnded) {
  const Sandbox sandbox = Make();
  sandboxes_.reset();
  FakeDriver::Manners manners;
  manners.adopt = FakeDriver::Manners::Rest::kFails;
  driver_->Behave(manners);
  Sandboxes::Parts parts;
  parts.store = store_;
  parts.drivers = {driver_};
  parts.now = [this] { return now_.load(); };
  sandboxes_ = Sandboxes::Open(std::move(parts), policy_).value();
  EXPECT_EQ(Record(sandbox.id).reason, reasons::kLost);
  ExpectSettled(*store_, *driver_, 20);
}

TEST_F(Recovery, DoesNotBeginWithADriverThatCannotAnswer) {
  const Sandbox sandbox = Make();
  sandboxes_.reset();
  FakeDriver::Manners mute;
  mute.list = FakeDriver::Manners::Rest::kFails;
  driver_->Behave(mute);
  Sandboxes::Parts parts;
  parts.store = store_;
  parts.drivers = {driver_};
  parts.now = [this] { return now_.load(); };
  EXPECT_CODE(Sandboxes::Open(std::move(parts), policy_), ErrorCode::kIoError);
  EXPECT_EQ(StateOf(sandbox.id), SandboxState::kReady);
}

TEST_F(Recovery, LeavesAloneWhatADriverThatIsNotHereHasMade) {
  Sandbox sandbox = store::SandboxOf(1);
  sandbox.driver = "docker+runsc";
  sandbox.state = SandboxState::kReady;
  ASSERT_DONE(store_->AddSandbox(sandbox, 1000));
  Start();
  sandboxes_->CheckNow();
  EXPECT_EQ(StateOf(sandbox.id), SandboxState::kReady);
  EXPECT_CODE(sandboxes_->Use("usr_a", sandbox.id), ErrorCode::kSandboxRequired);
  EXPECT_CODE(sandboxes_->End("usr_a", sandbox.id, "user_delete"), ErrorCode::kUnsupported);
}

TEST_F(Recovery, ForgetsConversationsNobodyWasToldOf) {
  ASSERT_DONE(store_->AddConversation(store::ConversationOf("cnv_1"), nullptr));
  ASSERT_DONE(store_->AddConversation(store::ConversationOf("cnv_2"), nullptr));
  ASSERT_DONE(sandboxes_->Create({"usr_a", "cnv_2"}, {}));
  Start();
  EXPECT_CODE(store_->FindConversation("usr_a", "cnv_1"), ErrorCode::kNotFound);
  EXPECT_TRUE(store_->FindConversation("usr_a", "cnv_2"));
}

TEST_F(Recovery, NeedsADriver) {
  Sandboxes::Parts parts;
  parts.store = store_;
  parts.now = [this] { return now_.load(); };
  EXPECT_CODE(Sandboxes::Open(std::move(parts), policy_), ErrorCode::kInvalidArguments);
  policy_.pools.push_back({{}, 1});
  policy_.pools[0].wish.driver = "no such";
  EXPECT_CODE(TryStart(), ErrorCode::kInvalidArguments);
  policy_.pools.clear();
  Start();
}

}  // namespace
}  // namespace cordon::provision
