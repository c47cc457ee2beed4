#include "store/store_fixture_test.h"

namespace cordon::store {
namespace {

class Conversations : public StoreTest {};
STORE_TEST_EVERYWHERE(Conversations);

Sandbox For(const std::string& conversation, std::uint64_t number, const std::string& user) {
  Sandbox sandbox = SandboxOf(number, user);
  sandbox.conversation = conversation;
  return sandbox;
}

TEST_P(Conversations, AreTheirUsersAlone) {
  ASSERT_DONE(store_->AddConversation(ConversationOf("cnv_1"), nullptr));
  const Conversation found = store_->FindConversation("usr_a", "cnv_1").value();
  EXPECT_EQ(found.title, "about cnv_1");
  EXPECT_EQ(found.user, "usr_a");
  EXPECT_FALSE(found.sandbox);
  EXPECT_FALSE(found.founded);
  EXPECT_FALSE(found.deleted);
  EXPECT_CODE(store_->FindConversation("usr_b", "cnv_1"), ErrorCode::kNotFound);
  EXPECT_CODE(store_->FindConversation("usr_a", "cnv_2"), ErrorCode::kNotFound);
  EXPECT_TRUE(store_->ListConversations("usr_b", {}, 10).value().empty());
}

TEST_P(Conversations, ComeWithTheirSandboxOrNotAtAll) {
  const Sandbox sandbox = For("cnv_1", 1, "usr_a");
  ASSERT_DONE(store_->AddConversation(ConversationOf("cnv_1"), &sandbox));
  EXPECT_EQ(store_->FindConversation("usr_a", "cnv_1").value().sandbox, sandbox.id);
  EXPECT_EQ(Found(1).conversation, "cnv_1");
  // The sandbox is there already: the conversation does not come.
  const Sandbox again = For("cnv_2", 1, "usr_a");
  EXPECT_CODE(store_->AddConversation(ConversationOf("cnv_2"), &again), ErrorCode::kAlreadyExists);
  EXPECT_CODE(store_->FindConversation("usr_a", "cnv_2"), ErrorCode::kNotFound);
  // The conversation is there already: the sandbox does not come.
  const Sandbox other = For("cnv_1", 2, "usr_a");
  EXPECT_CODE(store_->AddConversation(ConversationOf("cnv_1"), &other), ErrorCode::kAlreadyExists);
  EXPECT_CODE(store_->FindAnySandbox(other.id), ErrorCode::kNotFound);
  // Not for one another.
  for (const Sandbox& odd : {SandboxOf(3), For("cnv_4", 3, "usr_a"), For("cnv_3", 3, "usr_b")}) {
    EXPECT_CODE(store_->AddConversation(ConversationOf("cnv_3"), &odd),
                ErrorCode::kInvalidArguments);
  }
}

TEST_P(Conversations, AddSandboxTiesToItsOwnUsersConversation) {
  ASSERT_DONE(store_->AddConversation(ConversationOf("cnv_1"), nullptr));
  EXPECT_CODE(store_->AddSandbox(For("cnv_1", 1, "usr_b"), kMany), ErrorCode::kNotFound);
  EXPECT_CODE(store_->AddSandbox(For("cnv_x", 1, "usr_a"), kMany), ErrorCode::kNotFound);
  EXPECT_CODE(store_->FindAnySandbox(IdOf(1)), ErrorCode::kNotFound);
  ASSERT_DONE(store_->AddSandbox(For("cnv_1", 1, "usr_a"), kMany));
  EXPECT_EQ(store_->FindConversation("usr_a", "cnv_1").value().sandbox, IdOf(1));
  ASSERT_DONE(store_->AddSandbox(For("cnv_1", 2, "usr_a"), kMany));
  EXPECT_EQ(store_->FindConversation("usr_a", "cnv_1").value().sandbox, IdOf(2));
}

TEST_P(Conversations, AreFoundedByTheFirstSandboxThatIsReady) {
  for (const char* id : {"cnv_1", "cnv_2", "cnv_3"}) {
    ASSERT_DONE(store_->AddConversation(ConversationOf(id), nullptr));
  }
  ASSERT_DONE(store_->AddSandbox(For("cnv_1", 1, "usr_a"), kMany));
  ASSERT_DONE(store_->AddSandbox(For("cnv_2", 2, "usr_a"), kMany));
  Sandbox ready = Found(1);
  ready.state = SandboxState::kReady;
  ready.changed = 50;
  ASSERT_DONE(store_->Change(ready, {SandboxState::kPending}));
  EXPECT_EQ(store_->FindConversation("usr_a", "cnv_1").value().founded, 50);
  ASSERT_DONE(store_->ForgetUnfounded());
  EXPECT_TRUE(store_->FindConversation("usr_a", "cnv_1"));
  EXPECT_CODE(store_->FindConversation("usr_a", "cnv_2"), ErrorCode::kNotFound);
  EXPECT_CODE(store_->FindConversation("usr_a", "cnv_3"), ErrorCode::kNotFound);
  EXPECT_FALSE(Found(2).conversation) << "what is left of it names nothing that is not there";
}

TEST_P(Conversations, AreForgottenAsIfTheyHadNeverBeen) {
  ASSERT_DONE(store_->AddConversation(ConversationOf("cnv_1"), nullptr));
  ASSERT_DONE(store_->AddSandbox(For("cnv_1", 1, "usr_a"), kMany));
  ASSERT_DONE(store_->ForgetConversation("cnv_1"));
  EXPECT_CODE(store_->FindConversation("usr_a", "cnv_1"), ErrorCode::kNotFound);
  EXPECT_CODE(store_->ForgetConversation("cnv_1"), ErrorCode::kNotFound);
  ASSERT_DONE(store_->AddConversation(ConversationOf("cnv_1", "usr_b"), nullptr));
}

TEST_P(Conversations, AreDeletedByTheirUserAlone) {
  ASSERT_DONE(store_->AddConversation(ConversationOf("cnv_1"), nullptr));
  EXPECT_CODE(store_->MarkConversationDeleted("usr_b", "cnv_1", 5), ErrorCode::kNotFound);
  ASSERT_DONE(store_->MarkConversationDeleted("usr_a", "cnv_1", 5));
  EXPECT_CODE(store_->FindConversation("usr_a", "cnv_1"), ErrorCode::kNotFound);
  EXPECT_TRUE(store_->ListConversations("usr_a", {}, 10).value().empty());
  EXPECT_CODE(store_->MarkConversationDeleted("usr_a", "cnv_1", 6), ErrorCode::kNotFound);
  EXPECT_CODE(store_->AddSandbox(For("cnv_1", 1, "usr_a"), kMany), ErrorCode::kNotFound);
  // Its name is taken until it is pruned.
  EXPECT_CODE(store_->AddConversation(ConversationOf("cnv_1"), nullptr), ErrorCode::kAlreadyExists);
  ASSERT_DONE(store_->Prune(5));
  EXPECT_CODE(store_->AddConversation(ConversationOf("cnv_1"), nullptr), ErrorCode::kAlreadyExists);
  ASSERT_DONE(store_->Prune(6));
  ASSERT_DONE(store_->AddConversation(ConversationOf("cnv_1"), nullptr));
}

TEST_P(Conversations, AreListedInPages) {
  for (int i = 0; i < 25; ++i) {
    // Several of one instant, so that pages must not break between them.
    ASSERT_DONE(store_->AddConversation(
        ConversationOf("cnv_" + std::to_string(100 + i), "usr_a", i / 4), nullptr));
    ASSERT_DONE(store_->AddConversation(
        ConversationOf("cnv_b" + std::to_string(100 + i), "usr_b", i / 4), nullptr));
  }
  std::vector<std::string> seen;
  std::optional<std::string> after;
  while (true) {
    const auto page = store_->ListConversations("usr_a", after, 7).value();
    for (const Conversation& one : page) seen.push_back(one.id);
    if (page.size() < 7) break;
    after = page.back().id;
  }
  ASSERT_EQ(seen.size(), 25u);
  EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
  EXPECT_TRUE(store_->ListConversations("usr_a", "cnv_b100", 7).value().empty())
      << "another's is no place to begin at";
}

}  // namespace
}  // namespace cordon::store
