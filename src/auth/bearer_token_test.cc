#include <gtest/gtest.h>

#include <set>

#include "auth/access.h"

namespace cordon::auth {
namespace {

constexpr std::string_view kToken = "0123456789abcdef0123456789abcdef";

TEST(BearerToken, AdmitsTheOneThatHoldsIt) {
  const auto access = BearerToken(std::string(kToken));
  for (const std::string start : {"Bearer ", "bearer ", "BEARER   "}) {
    const auto party = access->Admit(start + std::string(kToken));
    ASSERT_TRUE(party.has_value()) << start;
    EXPECT_EQ(party->id, "local");
    EXPECT_EQ(party->scopes, std::nullopt);
  }
  EXPECT_EQ(access->metadata(), nullptr);
}

TEST(BearerToken, RefusesEverybodyElse) {
  const auto access = BearerToken(std::string(kToken));
  const std::string token(kToken);
  EXPECT_FALSE(access->Admit(std::nullopt).has_value());
  for (const std::string& header :
       {std::string(), std::string("Bearer"), std::string("Bearer "), token, "Basic " + token,
        "Bearer" + token, "Bearer " + token + "0", "Bearer " + token.substr(1),
        "Bearer " + token + ", Bearer " + token, "Bearer " + token + " ", "Bearer\t" + token,
        "Bearer \"" + token + "\"", "Bearer " + std::string(100'000, 'x')}) {
    const auto party = access->Admit(header);
    ASSERT_FALSE(party.has_value()) << header.substr(0, 60);
    EXPECT_EQ(party.error().code, ErrorCode::kPermissionDenied);
    EXPECT_EQ(party.error().detail.find(token), std::string::npos);
  }
}

TEST(BearerToken, WithAShortOneNobodyComesIn) {
  EXPECT_FALSE(BearerToken("")->Admit("Bearer ").has_value());
  EXPECT_FALSE(BearerToken("secret")->Admit("Bearer secret").has_value());
}

TEST(NewToken, IsLongAndNeverTheSame) {
  std::set<std::string> seen;
  for (int i = 0; i < 100; ++i) {
    const std::string token = NewToken();
    EXPECT_EQ(token.size(), 64U);
    EXPECT_TRUE(seen.insert(token).second);
  }
  const std::string token = NewToken();
  EXPECT_TRUE(BearerToken(token)->Admit("Bearer " + token).has_value());
}

TEST(EverybodyWhoConnects, NeedsNothing) {
  EXPECT_EQ(EverybodyWhoConnects()->Admit(std::nullopt)->id, "local");
}

}  // namespace
}  // namespace cordon::auth
