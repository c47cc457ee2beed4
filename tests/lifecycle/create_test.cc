// Sandboxes are made, or nothing is.
#include <thread>

#include "provision/facts_text.h"
#include "provision/reasons.h"
#include "tests/lifecycle/invariants.h"
#include "tests/lifecycle/lifecycle_fixture.h"

namespace cordon::provision {
namespace {

using Creation = FakeDriver::Manners::Creation;

class Create : public LifecycleTest {
 protected:
  void Manner(Creation creation) {
    FakeDriver::Manners manners;
    manners.creation = creation;
    driver_->Behave(manners);
  }
};

TEST_F(Create, GivesOneThatIsReady) {
  Wish wish;
  wish.image = "an image";
  wish.lifetime = std::chrono::seconds(100);
  const Sandbox sandbox = Make("usr_a", wish);
  EXPECT_EQ(sandbox.state, SandboxState::kReady);
  EXPECT_EQ(sandbox.user, "usr_a");
  EXPECT_EQ(sandbox.driver, "fake");
  EXPECT_EQ(sandbox.handle, "fake-" + sandbox.id.text());
  EXPECT_EQ(sandbox.ready, now_.load());
  EXPECT_EQ(sandbox.expires, now_.load() + 100'000);
  EXPECT_EQ(DecodeWish(sandbox.terms).value().image, "an image");
  EXPECT_EQ(DecodeFacts(sandbox.facts).value().isolation, Isolation::kKernelLine);
  ASSERT_EQ(World().size(), 1u);
  EXPECT_EQ(World()[0].liveness, Liveness::kRunning);
  EXPECT_EQ(ToldOf(sandbox.id),
            (std::vector<SandboxState>{SandboxState::kPending, SandboxState::kReady}));
  ExpectSettled(*store_, *driver_, 20);
}

TEST_F(Create, NoLongerThanThePolicySays) {
  Wish wish;
  wish.lifetime = policy_.lifetime * 10;
  const std::chrono::milliseconds most = policy_.lifetime;
  EXPECT_EQ(Make("usr_a", wish).expires, now_.load() + most.count());
}

TEST_F(Create, BeginReturnsWhileItIsPending) {
  Manner(Creation::kHangs);
  const Sandbox begun = sandboxes_->Begin({"usr_a", {}}, {}).value();
  EXPECT_EQ(begun.state, SandboxState::kPending);
  EXPECT_EQ(StateOf(begun.id), SandboxState::kPending);
  driver_->AwaitCreations(1);
  driver_->Behave({});
  EXPECT_TRUE(Eventually([&] { return StateOf(begun.id) == SandboxState::kReady; }));
}

TEST_F(Create, ThatFailsLeavesATombstoneAndNothingElse) {
  for (const Creation creation : {Creation::kFails, Creation::kFailsDirty}) {
    Manner(creation);
    const auto failed = sandboxes_->Create({"usr_a", {}}, {});
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().code, ErrorCode::kIoError);
    EXPECT_NE(failed.error().detail.find("told to fail"), std::string::npos);
    EXPECT_TRUE(World().empty());
  }
  store::SandboxFilter filter;
  filter.user = "usr_a";
  const auto records = sandboxes_->List(filter).value();
  ASSERT_EQ(records.size(), 2u);
  for (const Sandbox& record : records) {
    EXPECT_EQ(record.state, SandboxState::kFailed);
    EXPECT_EQ(record.reason, reasons::kCreateFailed);
    EXPECT_NE(record.message.find("told to fail"), std::string::npos);
    EXPECT_EQ(record.ended, now_.load());
  }
  ExpectSettled(*store_, *driver_, 20);
}

TEST_F(Create, RefusesWhatMakesNoSense) {
  std::vector<Wish> wishes(7);
  wishes[0].driver = "no such";
  wishes[1].environment = {"NOVALUE"};
  wishes[2].environment = {"=x"};
  wishes[3].lifetime = std::chrono::seconds(0);
  wishes[4].idle = std::chrono::seconds(-1);
  wishes[5].resources.cpus = -1;
  wishes[6].environment = {std::string("A=\0", 3)};
  for (const Wish& wish : wishes) {
    EXPECT_CODE(sandboxes_->Create({"usr_a", {}}, wish), ErrorCode::kInvalidArguments);
  }
  EXPECT_CODE(sandboxes_->Create({"usr_x", {}}, {}), ErrorCode::kNotFound);
  EXPECT_CODE(sandboxes_->Create({"", {}}, {}), ErrorCode::kNotFound);
  EXPECT_CODE(sandboxes_->Create({"usr_a", "cnv_x"}, {}), ErrorCode::kNotFound);
  EXPECT_EQ(driver_->created(), 0u);
}

TEST_F(Create, FoundsItsConversation) {
  ASSERT_DONE(store_->AddConversation(store::ConversationOf("cnv_1"), nullptr));
  EXPECT_CODE(sandboxes_->Create({"usr_b", "cnv_1"}, {}), ErrorCode::kNotFound);
  const Sandbox sandbox = sandboxes_->Create({"usr_a", "cnv_1"}, {}).value();
  const auto conversation = store_->FindConversation("usr_a", "cnv_1").value();
  EXPECT_EQ(conversation.sandbox, sandbox.id);
  EXPECT_TRUE(conversation.founded);
}

TEST_F(Create, ThatHangsIsGivenUpAndRemovedWhenItCan) {
  Manner(Creation::kHangs);
  std::optional<ErrorCode> code;
  std::thread caller([&] {
    const auto created = sandboxes_->Create({"usr_a", {}}, {});
    code = created ? ErrorCode::kUnknownTool : created.error().code;
  });
  driver_->AwaitCreations(1);
  sandboxes_->CheckNow();
  EXPECT_FALSE(code) << "there is time yet";
  Pass(policy_.provisioning);
  sandboxes_->CheckNow();
  caller.join();  // although the driver still hangs
  EXPECT_EQ(code, ErrorCode::kTimeout);
  store::SandboxFilter filter;
  const Sandbox record = sandboxes_->List(filter).value().at(0);
  EXPECT_EQ(record.state, SandboxState::kTerminating);
  EXPECT_EQ(record.reason, reasons::kProvisionTimeout);
  sandboxes_->CheckNow();  // must not take it for finished
  EXPECT_EQ(StateOf(record.id), SandboxState::kTerminating);
  driver_->Behave({});  // now it makes it after all
  EXPECT_TRUE(Eventually([&] { return StateOf(record.id) == SandboxState::kFailed; }));
  EXPECT_TRUE(World().empty());
  ExpectSettled(*store_, *driver_, 20);
}

TEST_F(Create, CanBeEndedMeanwhile) {
  Manner(Creation::kHangs);
  const Sandbox begun = sandboxes_->Begin({"usr_a", {}}, {}).value();
  driver_->AwaitCreations(1);
  std::thread ender([&] { EXPECT_TRUE(sandboxes_->End("usr_a", begun.id, "user_delete")); });
  EXPECT_TRUE(Eventually([&] { return StateOf(begun.id) == SandboxState::kTerminating; }));
  driver_->Behave({});
  ender.join();
  EXPECT_EQ(StateOf(begun.id), SandboxState::kTerminated);
  EXPECT_EQ(Record(begun.id).reason, "user_delete");
  EXPECT_TRUE(World().empty());
}

TEST_F(Create, WhatCouldNotBeRemovedIsRemovedLater) {
  FakeDriver::Manners manners;
  manners.creation = Creation::kFailsDirty;
  manners.destroy = FakeDriver::Manners::Rest::kFails;
  driver_->Behave(manners);
  EXPECT_CODE(sandboxes_->Create({"usr_a", {}}, {}), ErrorCode::kIoError);
  const Sandbox record = sandboxes_->List({}).value().at(0);
  EXPECT_EQ(record.state, SandboxState::kTerminating);
  EXPECT_EQ(World().size(), 1u);
  sandboxes_->CheckNow();
  EXPECT_EQ(StateOf(record.id), SandboxState::kTerminating);
  driver_->Behave({});
  sandboxes_->CheckNow();
  EXPECT_EQ(StateOf(record.id), SandboxState::kFailed);
  ExpectSettled(*store_, *driver_, 20);
}

TEST(Wishes, HaveOneText) {
  Wish wish;
  wish.driver = "d";
  wish.image = "i\"\n";
  wish.resources = {1.5, 1u << 20, 7, std::uint64_t{1} << 40};
  wish.environment = {"A=b", "C="};
  wish.network = "allow:example.org";
  wish.isolation = Isolation::kGvisor;
  wish.lifetime = std::chrono::seconds(5);
  wish.idle = std::chrono::seconds(6);
  const Wish again = DecodeWish(Encode(wish)).value();
  EXPECT_EQ(Encode(again), Encode(wish));
  EXPECT_EQ(again.resources.disk, wish.resources.disk);
  EXPECT_EQ(again.isolation, Isolation::kGvisor);
  EXPECT_EQ(again.environment, wish.environment);
  EXPECT_EQ(Encode(DecodeWish(Encode(Wish())).value()), Encode(Wish()));
  Wish other = wish;
  other.lifetime.reset();
  EXPECT_NE(Encode(other), Encode(wish));
  EXPECT_EQ(PoolKey(other), PoolKey(wish));
  other.image = "j";
  EXPECT_NE(PoolKey(other), PoolKey(wish));
  for (const char* text : {"", "[]", "{}", "{\"driver\":1}", "nonsense"}) {
    EXPECT_CODE(DecodeWish(text), ErrorCode::kInvalidArguments);
  }
  EXPECT_CODE(DecodeFacts("{\"isolation\":\"strong\"}"), ErrorCode::kInvalidArguments);
}

}  // namespace
}  // namespace cordon::provision
