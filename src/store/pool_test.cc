#include "store/store_fixture_test.h"

namespace cordon::store {
namespace {

class Pool : public StoreTest {};
STORE_TEST_EVERYWHERE(Pool);

Handover To(const std::string& user, std::size_t most = kMany) {
  Handover handover;
  handover.user = user;
  handover.terms = R"({"lifetime":5})";
  handover.expires = 500;
  handover.most = most;
  handover.now = 100;
  return handover;
}

TEST_P(Pool, GivesTheOldestThatIsReady) {
  Sandbox pending = PooledOf(1);
  pending.state = SandboxState::kPending;
  for (const Sandbox& sandbox : {pending, PooledOf(3), PooledOf(2)}) {
    ASSERT_DONE(store_->AddSandbox(sandbox, 0));
  }
  const Sandbox taken = store_->TakePooled("fake", "{}", To("usr_a")).value();
  EXPECT_EQ(taken.id, IdOf(2));
  for (const Sandbox& sandbox : {taken, store_->FindSandbox("usr_a", IdOf(2)).value()}) {
    EXPECT_EQ(sandbox.user, "usr_a");
    EXPECT_EQ(sandbox.pooled, Sandbox::Pooled::kNo);
    EXPECT_EQ(sandbox.terms, R"({"lifetime":5})");
    EXPECT_EQ(sandbox.expires, 500);
    EXPECT_EQ(sandbox.active, 100);
    EXPECT_EQ(sandbox.changed, 100);
    EXPECT_EQ(sandbox.created, 2);
  }
  EXPECT_EQ(taken.revision, Found(2).revision) << "it can be changed as it was given";
  EXPECT_EQ(store_->TakePooled("fake", "{}", To("usr_b")).value().id, IdOf(3));
  EXPECT_CODE(store_->TakePooled("fake", "{}", To("usr_b")), ErrorCode::kNotFound);
}

TEST_P(Pool, GivesOnlyWhatWasMadeOnTheSameTerms) {
  ASSERT_DONE(store_->AddSandbox(PooledOf(1), 0));
  EXPECT_CODE(store_->TakePooled("other", "{}", To("usr_a")), ErrorCode::kNotFound);
  EXPECT_CODE(store_->TakePooled("fake", "{\"a\":1}", To("usr_a")), ErrorCode::kNotFound);
  ASSERT_DONE(store_->TakePooled("fake", "{}", To("usr_a")));
}

TEST_P(Pool, HoldsTheCap) {
  ASSERT_DONE(store_->AddSandbox(PooledOf(1), 0));
  ASSERT_DONE(store_->AddSandbox(SandboxOf(2), 1));
  EXPECT_CODE(store_->TakePooled("fake", "{}", To("usr_a", 1)), ErrorCode::kLimitExceeded);
  EXPECT_EQ(Found(1).pooled, Sandbox::Pooled::kWaiting);
  ASSERT_DONE(store_->TakePooled("fake", "{}", To("usr_a", 2)));
}

TEST_P(Pool, GivesToConversationsOfTheSameUser) {
  ASSERT_DONE(store_->AddConversation(ConversationOf("cnv_1"), nullptr));
  ASSERT_DONE(store_->AddSandbox(PooledOf(1), 0));
  Handover handover = To("usr_b");
  handover.conversation = "cnv_1";
  EXPECT_CODE(store_->TakePooled("fake", "{}", handover), ErrorCode::kNotFound);
  EXPECT_EQ(Found(1).user, "");
  EXPECT_CODE(store_->TakePooled("fake", "{}", To("usr_x")), ErrorCode::kNotFound);
  handover.user = "usr_a";
  ASSERT_DONE(store_->TakePooled("fake", "{}", handover));
  const Conversation conversation = store_->FindConversation("usr_a", "cnv_1").value();
  EXPECT_EQ(conversation.sandbox, IdOf(1));
  EXPECT_EQ(conversation.founded, 100);
}

// Whoever still takes it for the pool's cannot change it any more.
TEST_P(Pool, WhatWasGivenIsAnother) {
  ASSERT_DONE(store_->AddSandbox(PooledOf(1), 0));
  Sandbox stale = Found(1);
  ASSERT_DONE(store_->TakePooled("fake", "{}", To("usr_a")));
  stale.state = SandboxState::kTerminating;
  EXPECT_CODE(store_->Change(stale, {SandboxState::kReady}), ErrorCode::kStaleFile);
}

}  // namespace
}  // namespace cordon::store
