#include <set>

#include "store/store_fixture_test.h"

namespace cordon::store {
namespace {

class SandboxRecords : public StoreTest {};
STORE_TEST_EVERYWHERE(SandboxRecords);

TEST_P(SandboxRecords, KeepEveryField) {
  ASSERT_DONE(store_->AddConversation(ConversationOf("cnv_1"), nullptr));
  Sandbox whole{IdOf(7)};
  whole.user = "usr_a";
  whole.conversation = "cnv_1";
  whole.driver = "docker+runsc";
  whole.handle = "h";
  whole.terms = R"({"a":1})";
  whole.facts = std::string("f\0g", 3);
  whole.state = SandboxState::kTerminated;
  whole.reason = "user_delete";
  whole.message = "m";
  whole.created = 1;
  whole.changed = 2;
  whole.active = 3;
  whole.ready = 4;
  whole.expires = 5;
  whole.ended = 6;
  whole.exit_status = -9;
  whole.memory = Sandbox::Memory::kRanOut;
  whole.last_lines = "one\ntwo";
  whole.public_url = "http://localhost:30000";
  ASSERT_DONE(store_->AddSandbox(whole, kMany));
  ASSERT_DONE(store_->ReservePort(whole.id, {30000}));
  const Sandbox found = store_->FindSandbox("usr_a", whole.id).value();
  EXPECT_EQ(found.id, whole.id);
  EXPECT_EQ(found.user, whole.user);
  EXPECT_EQ(found.conversation, whole.conversation);
  EXPECT_EQ(found.driver, whole.driver);
  EXPECT_EQ(found.handle, whole.handle);
  EXPECT_EQ(found.terms, whole.terms);
  EXPECT_EQ(found.facts, whole.facts);
  EXPECT_EQ(found.state, whole.state);
  EXPECT_EQ(found.reason, whole.reason);
  EXPECT_EQ(found.message, whole.message);
  EXPECT_EQ(found.created, 1);
  EXPECT_EQ(found.changed, 2);
  EXPECT_EQ(found.active, 3);
  EXPECT_EQ(found.ready, 4);
  EXPECT_EQ(found.expires, 5);
  EXPECT_EQ(found.ended, 6);
  EXPECT_EQ(found.exit_status, -9);
  EXPECT_EQ(found.memory, Sandbox::Memory::kRanOut);
  EXPECT_EQ(found.last_lines, whole.last_lines);
  EXPECT_EQ(found.port, 30000);
  EXPECT_EQ(found.public_url, whole.public_url);
  EXPECT_EQ(found.pooled, Sandbox::Pooled::kNo);
}

TEST_P(SandboxRecords, OfAnotherAreLikeThoseThatAreNotThere) {
  ASSERT_DONE(store_->AddSandbox(SandboxOf(1), kMany));
  const auto another = store_->FindSandbox("usr_b", IdOf(1));
  const auto missing = store_->FindSandbox("usr_b", IdOf(2));
  ASSERT_FALSE(another);
  ASSERT_FALSE(missing);
  EXPECT_EQ(another.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(another.error().code, missing.error().code);
  EXPECT_EQ(another.error().detail, missing.error().detail);
  EXPECT_EQ(another.error().op, missing.error().op);
  EXPECT_TRUE(store_->FindAnySandbox(IdOf(1)));
  EXPECT_CODE(store_->FindAnySandbox(IdOf(2)), ErrorCode::kNotFound);
  SandboxFilter filter;
  filter.user = "usr_b";
  EXPECT_TRUE(store_->ListSandboxes(filter).value().empty());
  filter.after = IdOf(1);
  ASSERT_DONE(store_->AddSandbox(SandboxOf(3, "usr_b"), kMany));
  EXPECT_TRUE(store_->ListSandboxes(filter).value().empty());
}

TEST_P(SandboxRecords, NeedTheirUser) {
  EXPECT_CODE(store_->AddSandbox(SandboxOf(1, "usr_c"), kMany), ErrorCode::kNotFound);
  EXPECT_CODE(store_->AddSandbox(SandboxOf(1, ""), kMany), ErrorCode::kNotFound);
  ASSERT_DONE(store_->AddSandbox(SandboxOf(1), kMany));
  EXPECT_CODE(store_->AddSandbox(SandboxOf(1), kMany), ErrorCode::kAlreadyExists);
}

TEST_P(SandboxRecords, AreCappedByThoseThatHaveNotEnded) {
  EXPECT_CODE(store_->AddSandbox(SandboxOf(1), 0), ErrorCode::kLimitExceeded);
  const std::vector<SandboxState> states = {SandboxState::kPending, SandboxState::kReady,
                                            SandboxState::kPaused, SandboxState::kTerminating};
  for (std::uint64_t i = 0; i < states.size(); ++i) {
    Sandbox sandbox = SandboxOf(10 + i);
    sandbox.state = states[i];
    ASSERT_DONE(store_->AddSandbox(sandbox, i + 1));
    EXPECT_CODE(store_->AddSandbox(SandboxOf(20), i + 1), ErrorCode::kLimitExceeded);
  }
  ASSERT_DONE(store_->AddSandbox(SandboxOf(20, "usr_b"), 1));
  for (std::uint64_t i = 0; i < states.size(); ++i) {
    Sandbox ended = Found(10 + i);
    const SandboxState before = ended.state;
    ended.state = i % 2 == 0 ? SandboxState::kTerminated : SandboxState::kFailed;
    ended.ended = 9;
    ASSERT_DONE(store_->Change(ended, {before}));
  }
  ASSERT_DONE(store_->AddSandbox(SandboxOf(21), 1));
}

TEST_P(SandboxRecords, ChangeOnlyFromTheStatesNamed) {
  ASSERT_DONE(store_->AddSandbox(SandboxOf(1), kMany));
  Sandbox sandbox = Found(1);
  sandbox.state = SandboxState::kReady;
  sandbox.handle = "made";
  EXPECT_CODE(store_->Change(sandbox, {}), ErrorCode::kStaleFile);
  EXPECT_CODE(store_->Change(sandbox, {SandboxState::kReady, SandboxState::kPaused}),
              ErrorCode::kStaleFile);
  EXPECT_EQ(Found(1).handle, "");
  ASSERT_DONE(store_->Change(sandbox, {SandboxState::kReady, SandboxState::kPending}));
  EXPECT_EQ(Found(1).handle, "made");
  EXPECT_EQ(Found(1).state, SandboxState::kReady);
  EXPECT_CODE(store_->Change(SandboxOf(2), {SandboxState::kPending}), ErrorCode::kNotFound);
}

TEST_P(SandboxRecords, ChangeOnlyWhatWasReadLast) {
  ASSERT_DONE(store_->AddSandbox(SandboxOf(1), kMany));
  Sandbox first = Found(1), second = Found(1);
  first.message = "first";
  ASSERT_DONE(store_->Change(first, {SandboxState::kPending}));
  second.message = "second";
  EXPECT_CODE(store_->Change(second, {SandboxState::kPending}), ErrorCode::kStaleFile);
  EXPECT_EQ(Found(1).message, "first");
}

TEST_P(SandboxRecords, ChangeLeavesAloneWhoseItIs) {
  ASSERT_DONE(store_->AddSandbox(SandboxOf(1), kMany));
  ASSERT_DONE(store_->ReservePort(IdOf(1), {30001}));
  Sandbox sandbox = Found(1);
  sandbox.user = "usr_b";
  sandbox.conversation = "cnv_9";
  sandbox.created = 77;
  sandbox.active = 77;
  sandbox.port = 1;
  sandbox.pooled = Sandbox::Pooled::kWaiting;
  ASSERT_DONE(store_->Change(sandbox, {SandboxState::kPending}));
  const Sandbox now = Found(1);
  EXPECT_EQ(now.user, "usr_a");
  EXPECT_FALSE(now.conversation);
  EXPECT_EQ(now.created, 1);
  EXPECT_EQ(now.active, 1);
  EXPECT_EQ(now.port, 30001);
  EXPECT_EQ(now.pooled, Sandbox::Pooled::kNo);
}

TEST_P(SandboxRecords, EndWithATimeOrNotAtAll) {
  ASSERT_DONE(store_->AddSandbox(SandboxOf(1), kMany));
  Sandbox sandbox = Found(1);
  sandbox.state = SandboxState::kTerminated;
  EXPECT_CODE(store_->Change(sandbox, {SandboxState::kPending}), ErrorCode::kIoError);
  sandbox.ended = 5;
  ASSERT_DONE(store_->Change(sandbox, {SandboxState::kPending}));
}

TEST_P(SandboxRecords, TouchMovesActivityForwardsAndMakesNobodyStale) {
  ASSERT_DONE(store_->AddSandbox(SandboxOf(1), kMany));
  const Sandbox before = Found(1);
  ASSERT_DONE(store_->Touch(IdOf(1), 100));
  ASSERT_DONE(store_->Touch(IdOf(1), 50));
  EXPECT_EQ(Found(1).active, 100);
  ASSERT_DONE(store_->Change(before, {SandboxState::kPending}));
  EXPECT_EQ(Found(1).active, 100);
  EXPECT_CODE(store_->Touch(IdOf(2), 1), ErrorCode::kNotFound);
}

TEST_P(SandboxRecords, AreFiltered) {
  ASSERT_DONE(store_->AddConversation(ConversationOf("cnv_1"), nullptr));
  Sandbox one = SandboxOf(1);
  one.conversation = "cnv_1";
  Sandbox two = SandboxOf(2);
  two.driver = "other";
  two.state = SandboxState::kReady;
  Sandbox three = SandboxOf(3, "usr_b");
  three.state = SandboxState::kPaused;
  for (const Sandbox& sandbox : {one, two, three, PooledOf(4)}) {
    ASSERT_DONE(store_->AddSandbox(sandbox, kMany));
  }
  const auto numbers = [&](const SandboxFilter& filter) {
    std::set<std::uint64_t> found;
    const auto listed = store_->ListSandboxes(filter).value();
    for (const Sandbox& sandbox : listed) {
      for (std::uint64_t i = 1; i <= 4; ++i) {
        if (sandbox.id == IdOf(i)) found.insert(i);
      }
    }
    return found;
  };
  using Set = std::set<std::uint64_t>;
  SandboxFilter all;
  EXPECT_EQ(numbers(all), (Set{1, 2, 3, 4}));
  SandboxFilter filter;
  filter.user = "usr_a";
  EXPECT_EQ(numbers(filter), (Set{1, 2}));
  filter.driver = "other";
  EXPECT_EQ(numbers(filter), (Set{2}));
  filter = {};
  filter.conversation = "cnv_1";
  EXPECT_EQ(numbers(filter), (Set{1}));
  filter = {};
  filter.states = {SandboxState::kReady, SandboxState::kPaused};
  EXPECT_EQ(numbers(filter), (Set{2, 3, 4}));
  filter.pooled = Sandbox::Pooled::kNo;
  EXPECT_EQ(numbers(filter), (Set{2, 3}));
  filter = {};
  filter.pooled = Sandbox::Pooled::kWaiting;
  EXPECT_EQ(numbers(filter), (Set{4}));
  filter.user = "";
  EXPECT_EQ(numbers(filter), Set{}) << "what waits in the pool is nobody's";
}

TEST_P(SandboxRecords, AreListedInPagesByAge) {
  for (std::uint64_t i = 0; i < 23; ++i) {
    Sandbox sandbox = SandboxOf(i);
    sandbox.created = static_cast<Time>(100 - i / 5);
    ASSERT_DONE(store_->AddSandbox(sandbox, kMany));
  }
  std::vector<Sandbox> seen;
  SandboxFilter filter;
  filter.user = "usr_a";
  filter.most = 4;
  while (true) {
    const auto page = store_->ListSandboxes(filter).value();
    ASSERT_LE(page.size(), 4u);
    seen.insert(seen.end(), page.begin(), page.end());
    if (page.size() < 4) break;
    filter.after = page.back().id;
  }
  ASSERT_EQ(seen.size(), 23u);
  for (std::size_t i = 1; i < seen.size(); ++i) {
    EXPECT_LT(std::make_pair(seen[i - 1].created, seen[i - 1].id),
              std::make_pair(seen[i].created, seen[i].id));
  }
}

TEST_P(SandboxRecords, ArePrunedOnceTheyHaveEndedLongAgo) {
  ASSERT_DONE(store_->AddConversation(ConversationOf("cnv_1"), nullptr));
  Sandbox old = SandboxOf(1);
  old.conversation = "cnv_1";
  old.state = SandboxState::kTerminated;
  old.ended = 10;
  Sandbox young = SandboxOf(2);
  young.state = SandboxState::kFailed;
  young.ended = 20;
  for (const Sandbox& sandbox : {old, young, SandboxOf(3)}) {
    ASSERT_DONE(store_->AddSandbox(sandbox, kMany));
    ASSERT_DONE(store_->ReservePort(sandbox.id, {30000, 30001, 30002}));
  }
  ASSERT_DONE(store_->Prune(20));
  EXPECT_CODE(store_->FindAnySandbox(IdOf(1)), ErrorCode::kNotFound);
  EXPECT_TRUE(store_->FindAnySandbox(IdOf(2)));
  EXPECT_TRUE(store_->FindAnySandbox(IdOf(3)));
  EXPECT_FALSE(store_->FindConversation("usr_a", "cnv_1").value().sandbox);
  ASSERT_DONE(store_->AddSandbox(SandboxOf(4), kMany));
  EXPECT_EQ(store_->ReservePort(IdOf(4), {30000, 30001, 30002}).value(), 30000);
}

}  // namespace
}  // namespace cordon::store
