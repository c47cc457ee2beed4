#include "serve/sessions.h"

#include <gtest/gtest.h>

#include "serve/session_secret.h"

namespace cordon::serve {
namespace {

class SessionsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto store = store::Store::Open(":memory:");
    ASSERT_TRUE(store.has_value());
    store_ = std::move(*store);
    const auto clock = [this] { return now_; };
    tokens_ = std::make_shared<TokenCheck>(store_, clock);
    sessions_.emplace(store_, tokens_, clock);
    const auto user = EnsureUser(*store_, "ann", 1);
    ASSERT_TRUE(user.has_value());
    user_ = user->id;
  }

  bool IsOpen(const OpenedSession& opened) const {
    return tokens_->AdmitSession(SessionSecret(opened.cookie, opened.key)).has_value();
  }

  store::Time now_ = 1'000'000;
  std::shared_ptr<store::Store> store_;
  std::shared_ptr<TokenCheck> tokens_;
  std::optional<Sessions> sessions_;
  std::string user_;
};

TEST_F(SessionsTest, ACodeOpensOneSession) {
  const auto made = sessions_->NewCode({user_, "", {"audit"}});
  const auto opened = sessions_->OpenWithCode(made.code);
  ASSERT_TRUE(opened.has_value());
  const auto caller = tokens_->AdmitSession(SessionSecret(opened->cookie, opened->key));
  ASSERT_TRUE(caller.has_value());
  EXPECT_EQ(caller->user, user_);
  EXPECT_TRUE(caller->Has("audit"));
  EXPECT_FALSE(caller->Has("approvals"));
  const auto again = sessions_->OpenWithCode(made.code);
  ASSERT_FALSE(again.has_value());
  EXPECT_EQ(again.error().code, ErrorCode::kPermissionDenied);
}

TEST_F(SessionsTest, ACodeIsGoodForTenMinutes) {
  const auto made = sessions_->NewCode({user_, "", {"audit"}});
  now_ = made.expires;
  EXPECT_FALSE(sessions_->OpenWithCode(made.code).has_value());
}

TEST_F(SessionsTest, OfTooManyCodesTheOldestGo) {
  const auto first = sessions_->NewCode({user_, "", {"audit"}});
  for (int i = 0; i < 64; ++i) sessions_->NewCode({user_, "", {"audit"}});
  EXPECT_FALSE(sessions_->OpenWithCode(first.code).has_value());
}

TEST_F(SessionsTest, ASecretIsNeitherATokenNorHalfOfOne) {
  const auto opened = sessions_->OpenWithCode(sessions_->NewCode({user_, "", {"admin"}}).code);
  ASSERT_TRUE(opened.has_value());
  const std::string secret = SessionSecret(opened->cookie, opened->key);
  EXPECT_FALSE(tokens_->AdmitSecret(secret));
  EXPECT_FALSE(tokens_->AdmitSession(SessionSecret(opened->cookie, "")));
  EXPECT_FALSE(tokens_->AdmitSession(SessionSecret("", opened->key)));
  EXPECT_FALSE(tokens_->AdmitSession(SessionSecret(opened->key, opened->cookie)));
}

TEST_F(SessionsTest, EndsByItselfAndWhenItIsEnded) {
  const auto opened = sessions_->OpenWithCode(sessions_->NewCode({user_, "", {"admin"}}).code);
  ASSERT_TRUE(opened.has_value());
  ASSERT_TRUE(IsOpen(*opened));
  const auto other = sessions_->OpenWithCode(sessions_->NewCode({user_, "", {"admin"}}).code);
  ASSERT_TRUE(sessions_->End({user_, opened->record.id, {}}).has_value());
  EXPECT_FALSE(IsOpen(*opened));
  EXPECT_TRUE(IsOpen(*other));
  now_ = *other->record.expires;
  EXPECT_FALSE(IsOpen(*other));
}

TEST_F(SessionsTest, LeavesNothingBehind) {
  const auto rows = [this] { return store_->ListTokens(user_).value().size(); };
  const auto open = [this] {
    return sessions_->OpenWithCode(sessions_->NewCode({user_, "", {"admin"}}).code);
  };
  const auto ended = open();
  ASSERT_TRUE(ended.has_value());
  ASSERT_EQ(rows(), 1U);
  ASSERT_TRUE(sessions_->End({user_, ended->record.id, {}}).has_value());
  EXPECT_EQ(rows(), 0U);
  EXPECT_TRUE(sessions_->End({user_, ended->record.id, {}}).has_value());
  const auto expiring = open();
  const auto revoked = open();
  ASSERT_TRUE(store_->RevokeToken(user_, revoked->record.id, now_).has_value());
  now_ = *expiring->record.expires;
  const auto token = CreateToken(*store_, {user_, "", {"audit"}, now_ - 1}, now_);
  ASSERT_TRUE(token.has_value());
  ASSERT_TRUE(open().has_value());
  EXPECT_EQ(rows(), 2U);  // the new one, and the token, which is its user's to remove
}

TEST_F(SessionsTest, EndsWithItsTokenAndSoDoWhatItLetIn) {
  const auto token = CreateToken(*store_, {user_, "", {"audit"}, {}}, now_);
  ASSERT_TRUE(token.has_value());
  const auto opened = sessions_->OpenWithToken(token->secret);
  ASSERT_TRUE(opened.has_value());
  const auto caller = tokens_->AdmitSession(SessionSecret(opened->cookie, opened->key));
  ASSERT_TRUE(caller.has_value());
  const auto child = sessions_->OpenWithCode(sessions_->NewCode(*caller).code);
  ASSERT_TRUE(child.has_value());
  EXPECT_TRUE(IsOpen(*child));
  ASSERT_TRUE(store_->RevokeToken(user_, token->record.id, now_).has_value());
  now_ += 2000;  // what was seen is believed so long
  EXPECT_FALSE(IsOpen(*opened));
  EXPECT_FALSE(IsOpen(*child));
  EXPECT_FALSE(sessions_->OpenWithToken(token->secret).has_value());
}

}  // namespace
}  // namespace cordon::serve
