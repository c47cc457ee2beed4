#include "store/store_fixture_test.h"

namespace cordon::store {
namespace {

class Users : public StoreTest {};
STORE_TEST_EVERYWHERE(Users);

Token TokenOf(const std::string& name, const std::string& user) {
  Token token;
  token.id = "tok_" + name;
  token.user = user;
  token.hash = std::string(64, name[0]);
  token.label = "of " + name;
  token.scopes = {"sandboxes:read", "audit"};
  token.created = name[0];
  return token;
}

TEST_P(Users, AreFoundByIdAndName) {
  const User ann = store_->FindUser("usr_a").value();
  EXPECT_EQ(ann.id, "usr_a");
  EXPECT_EQ(ann.name, "ann");
  EXPECT_EQ(ann.created, 1);
  EXPECT_EQ(store_->FindUserByName("bob").value().id, "usr_b");
  EXPECT_CODE(store_->FindUser("usr_c"), ErrorCode::kNotFound);
  EXPECT_CODE(store_->FindUserByName("Ann"), ErrorCode::kNotFound);
  EXPECT_CODE(store_->FindUserByName("' OR 1=1 --"), ErrorCode::kNotFound);
}

TEST_P(Users, AreListedByAge) {
  ASSERT_DONE(store_->AddUser({"usr_0", "zed", 0}));
  const auto users = store_->ListUsers().value();
  ASSERT_EQ(users.size(), 3u);
  EXPECT_EQ(users[0].id, "usr_0");
  EXPECT_EQ(users[2].id, "usr_b");
}

TEST_P(Users, HaveNamesOfTheirOwn) {
  EXPECT_CODE(store_->AddUser({"usr_a", "other", 3}), ErrorCode::kAlreadyExists);
  EXPECT_CODE(store_->AddUser({"usr_c", "ann", 3}), ErrorCode::kAlreadyExists);
  EXPECT_EQ(store_->ListUsers().value().size(), 2u);
}

TEST_P(Users, MayHaveAnyBytesInTheirNames) {
  const std::string odd("x\0y'\"\xf0\x9f\x90\x9f", 9);
  ASSERT_DONE(store_->AddUser({"usr_c", odd, 3}));
  EXPECT_EQ(store_->FindUser("usr_c").value().name, odd);
  EXPECT_EQ(store_->FindUserByName(odd).value().id, "usr_c");
}

TEST_P(Users, TokensAreFoundByHashWithAllThereIsToThem) {
  Token token = TokenOf("t", "usr_a");
  token.expires = 99;
  token.used = 7;
  ASSERT_DONE(store_->AddToken(token));
  const Token found = store_->FindTokenByHash(token.hash).value();
  EXPECT_EQ(found.id, token.id);
  EXPECT_EQ(found.user, "usr_a");
  EXPECT_EQ(found.hash, token.hash);
  EXPECT_EQ(found.label, token.label);
  EXPECT_EQ(found.scopes, token.scopes);
  EXPECT_EQ(found.created, token.created);
  EXPECT_EQ(found.expires, 99);
  EXPECT_EQ(found.used, 7);
  EXPECT_FALSE(found.revoked);
  EXPECT_CODE(store_->FindTokenByHash(std::string(64, 'u')), ErrorCode::kNotFound);
}

TEST_P(Users, TokensWithoutScopesAndWithBadOnes) {
  Token none = TokenOf("n", "usr_a");
  none.scopes.clear();
  ASSERT_DONE(store_->AddToken(none));
  EXPECT_TRUE(store_->FindTokenByHash(none.hash).value().scopes.empty());
  for (const char* scope : {"", "a b", "admin\n"}) {
    Token bad = TokenOf("b", "usr_a");
    bad.scopes = {scope};
    EXPECT_CODE(store_->AddToken(bad), ErrorCode::kInvalidArguments);
  }
}

TEST_P(Users, TokensNeedAUserAndAHashOfTheirOwn) {
  EXPECT_CODE(store_->AddToken(TokenOf("t", "usr_c")), ErrorCode::kNotFound);
  ASSERT_DONE(store_->AddToken(TokenOf("t", "usr_a")));
  Token same = TokenOf("u", "usr_a");
  same.hash = TokenOf("t", "usr_a").hash;
  EXPECT_CODE(store_->AddToken(same), ErrorCode::kAlreadyExists);
}

TEST_P(Users, TokensAreListedAndRevokedByTheirUserAlone) {
  ASSERT_DONE(store_->AddToken(TokenOf("t", "usr_a")));
  ASSERT_DONE(store_->AddToken(TokenOf("s", "usr_a")));
  ASSERT_DONE(store_->AddToken(TokenOf("u", "usr_b")));
  const auto tokens = store_->ListTokens("usr_a").value();
  ASSERT_EQ(tokens.size(), 2u);
  EXPECT_EQ(tokens[0].id, "tok_s");
  EXPECT_CODE(store_->RevokeToken("usr_b", "tok_t", 5), ErrorCode::kNotFound);
  EXPECT_FALSE(store_->FindTokenByHash(TokenOf("t", "").hash).value().revoked);
  ASSERT_DONE(store_->RevokeToken("usr_a", "tok_t", 5));
  ASSERT_DONE(store_->RevokeToken("usr_a", "tok_t", 9));
  EXPECT_EQ(store_->FindTokenByHash(TokenOf("t", "").hash).value().revoked, 5);
}

TEST_P(Users, TokensRememberTheirLastUse) {
  ASSERT_DONE(store_->AddToken(TokenOf("t", "usr_a")));
  ASSERT_DONE(store_->NoteTokenUsed("tok_t", 50));
  ASSERT_DONE(store_->NoteTokenUsed("tok_t", 40));
  EXPECT_EQ(store_->FindTokenByHash(TokenOf("t", "").hash).value().used, 50);
  EXPECT_CODE(store_->NoteTokenUsed("tok_x", 40), ErrorCode::kNotFound);
}

TEST_P(Users, TokensAreForgottenByTheirUserAlone) {
  ASSERT_DONE(store_->AddToken(TokenOf("t", "usr_a")));
  EXPECT_CODE(store_->ForgetToken("usr_b", "tok_t"), ErrorCode::kNotFound);
  ASSERT_DONE(store_->ForgetToken("usr_a", "tok_t"));
  EXPECT_CODE(store_->FindTokenByHash(TokenOf("t", "").hash), ErrorCode::kNotFound);
  EXPECT_CODE(store_->ForgetToken("usr_a", "tok_t"), ErrorCode::kNotFound);
}

TEST_P(Users, OfOneKindTheSpentTokensAreForgotten) {
  const auto add = [&](const std::string& name, const std::string& id,
                       std::optional<Time> expires) {
    Token token = TokenOf(name, "usr_a");
    token.id = id;
    token.expires = expires;
    return store_->AddToken(token);
  };
  ASSERT_DONE(add("a", "ses_expired", 50));
  ASSERT_DONE(add("b", "ses_revoked", 90));
  ASSERT_DONE(add("c", "ses_good", 51));
  ASSERT_DONE(add("d", "ses_forever", std::nullopt));
  ASSERT_DONE(add("e", "tok_expired", 50));
  ASSERT_DONE(store_->RevokeToken("usr_a", "ses_revoked", 10));
  ASSERT_DONE(store_->ForgetSpentTokens("ses_", 50));
  const auto tokens = store_->ListTokens("usr_a").value();
  std::vector<std::string> left;
  for (const Token& token : tokens) left.push_back(token.id);
  EXPECT_EQ(left, (std::vector<std::string>{"ses_good", "ses_forever", "tok_expired"}));
}

}  // namespace
}  // namespace cordon::store
