#include "auth/jwt_access.h"

#include <gtest/gtest.h>

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <thread>

#include "tests/support/signing_key.h"

namespace cordon::auth {
namespace {

namespace json = boost::json;
using test::ForUrls;
using test::SigningKey;

constexpr std::string_view kResource = "https://files.example/mcp";
constexpr std::string_view kIssuer = "https://login.example";

std::int64_t Now() {
  return std::chrono::duration_cast<std::chrono::seconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

json::object Claims() {
  return {{"iss", kIssuer}, {"aud", kResource},   {"sub", "ann"},
          {"iat", Now()},   {"exp", Now() + 600}, {"scope", "files:read files:write"}};
}

json::object With(json::object object, std::string_view name, json::value value) {
  object[name] = std::move(value);
  return object;
}

json::object Without(json::object object, std::string_view name) {
  object.erase(name);
  return object;
}

json::object Named(json::object key, std::string_view id) {
  return With(std::move(key), "kid", json::string(id));
}

std::string Jwks(json::array keys) {
  return json::serialize(json::object{{"keys", std::move(keys)}});
}

// Keys are dear to make, so there is one set for all tests.
struct Keys {
  SigningKey rsa = SigningKey::Rsa();
  SigningKey other = SigningKey::Rsa();
  SigningKey p256 = SigningKey::Ec("P-256");
  SigningKey p384 = SigningKey::Ec("P-384");
};
const Keys& All() {
  static const Keys keys;
  return keys;
}

JwtTerms Terms(std::string jwks) {
  return {std::string(kResource), {std::string(kIssuer)}, {"files:read"}, std::move(jwks)};
}

std::unique_ptr<Access> Start(std::string jwks) {
  auto access = JwtAccess(Terms(std::move(jwks)));
  EXPECT_TRUE(access.has_value());
  return access ? std::move(*access) : nullptr;
}

const Access& Usual() {
  static const std::unique_ptr<Access> access =
      Start(Jwks({Named(All().rsa.Public(), "rsa"), Named(All().p256.Public(), "p256"),
                  Named(All().p384.Public(), "p384")}));
  return *access;
}

Result<Party> Admit(const Access& access, const std::string& token) {
  return access.Admit("Bearer " + token);
}

// With claims that are otherwise good.
Result<Party> AdmitClaims(const json::object& claims) {
  return Admit(Usual(), All().rsa.Token({{"alg", "RS256"}, {"kid", "rsa"}}, claims));
}

// Why it was refused; "" if it was not.
std::string Why(const Result<Party>& party) {
  if (party) return "";
  EXPECT_EQ(party.error().code, ErrorCode::kPermissionDenied);
  return party.error().detail;
}

TEST(JwtAccess, AdmitsWhatIsSignedInEveryAcceptedWay) {
  for (const char* algorithm : {"RS256", "RS384", "RS512", "PS256", "PS384", "PS512"}) {
    const auto party =
        Admit(Usual(), All().rsa.Token({{"alg", algorithm}, {"kid", "rsa"}}, Claims()));
    ASSERT_TRUE(party.has_value()) << algorithm << Why(party);
    EXPECT_EQ(party->id, "https://login.example ann");
    EXPECT_EQ(party->scopes, "files:read files:write");
  }
  EXPECT_EQ(Why(Admit(Usual(), All().p256.Token({{"alg", "ES256"}, {"kid", "p256"}}, Claims()))),
            "");
  EXPECT_EQ(Why(Admit(Usual(), All().p384.Token({{"alg", "ES384"}, {"kid", "p384"}}, Claims()))),
            "");
}

TEST(JwtAccess, TakesTheOnlyKeyThatFitsWhenNoneIsNamed) {
  EXPECT_EQ(Why(Admit(Usual(), All().rsa.Token({{"alg", "RS256"}}, Claims()))), "");
  EXPECT_EQ(Why(Admit(Usual(), All().p256.Token({{"alg", "ES256"}}, Claims()))), "");
  const auto two = Start(Jwks({Named(All().rsa.Public(), "a"), Named(All().other.Public(), "b")}));
  EXPECT_EQ(Why(Admit(*two, All().rsa.Token({{"alg", "RS256"}}, Claims()))),
            "the token is signed by a key that is not known");
  EXPECT_EQ(Why(Admit(*two, All().other.Token({{"alg", "RS256"}, {"kid", "b"}}, Claims()))), "");
}

TEST(JwtAccess, RefusesWhatIsNotSigned) {
  const std::string claims = ForUrls(json::serialize(Claims()));
  for (const char* algorithm : {"none", "None", "NONE", ""}) {
    const std::string head = ForUrls(json::serialize(json::object{{"alg", algorithm}}));
    for (const std::string& token :
         {head + "." + claims + ".", head + "." + claims + ".AAAA", head + "." + claims}) {
      EXPECT_NE(Why(Admit(Usual(), token)), "") << token;
    }
  }
}

TEST(JwtAccess, DoesNotTakeAPublicKeyForASecret) {
  // The well-known mistake: whoever knows the public key could sign with it.
  const std::string jwk = json::serialize(All().rsa.Public());
  for (const char* kid : {"rsa", ""}) {
    json::object header = {{"alg", "HS256"}};
    if (*kid != 0) header["kid"] = kid;
    const std::string text =
        ForUrls(json::serialize(header)) + "." + ForUrls(json::serialize(Claims()));
    unsigned char mac[32];
    unsigned size = 0;
    HMAC(EVP_sha256(), jwk.data(), static_cast<int>(jwk.size()),
         reinterpret_cast<const unsigned char*>(text.data()), text.size(), mac, &size);
    const std::string signature(reinterpret_cast<char*>(mac), size);
    EXPECT_EQ(Why(Admit(Usual(), text + "." + ForUrls(signature))),
              "the token is signed in a way that is not accepted");
  }
}

TEST(JwtAccess, RefusesKeysThatDoNotFit) {
  const auto with = [](const SigningKey& key, json::object header) {
    return Why(Admit(Usual(), key.Token(header, Claims())));
  };
  EXPECT_NE(with(All().other, {{"alg", "RS256"}, {"kid", "rsa"}}), "");    // another's signature
  EXPECT_NE(with(All().rsa, {{"alg", "RS256"}, {"kid", "unknown"}}), "");  // unknown name
  EXPECT_NE(with(All().rsa, {{"alg", "RS256"}, {"kid", "p256"}}), "");     // wrong type
  EXPECT_NE(with(All().p256, {{"alg", "ES256"}, {"kid", "rsa"}}), "");     // the other way round
  EXPECT_NE(with(All().p384, {{"alg", "ES256"}, {"kid", "p384"}}), "");    // wrong curve
  EXPECT_NE(with(All().rsa, {{"alg", "RS256"}, {"kid", 1}}), "");
  EXPECT_NE(with(All().rsa, {{"alg", "rs256"}, {"kid", "rsa"}}), "");
  // A key that comes with the token proves nothing.
  EXPECT_NE(with(All().other, {{"alg", "RS256"}, {"jwk", All().other.Public()}}), "");
  // A signature by another algorithm than the header says.
  const std::string text =
      ForUrls(R"({"alg":"RS256","kid":"rsa"})") + "." + ForUrls(json::serialize(Claims()));
  EXPECT_NE(Why(Admit(Usual(), text + "." + ForUrls(All().rsa.Sign(text, "PS256")))), "");
  const auto only_ps = Start(Jwks({With(All().rsa.Public(), "alg", "PS256")}));
  EXPECT_NE(Why(Admit(*only_ps, All().rsa.Token({{"alg", "RS256"}}, Claims()))), "");
  EXPECT_EQ(Why(Admit(*only_ps, All().rsa.Token({{"alg", "PS256"}}, Claims()))), "");
}

TEST(JwtAccess, RefusesHeadersThatMustBeUnderstood) {
  json::object header = {{"alg", "RS256"}, {"kid", "rsa"}, {"crit", json::array{"exp"}}};
  EXPECT_EQ(Why(Admit(Usual(), All().rsa.Token(header, Claims()))),
            "the token has critical header fields");
  for (const char* type : {"logout+jwt", "dpop+jwt", ""}) {
    EXPECT_EQ(Why(Admit(Usual(), All().rsa.Token({{"alg", "RS256"}, {"typ", type}}, Claims()))),
              "the token is no access token");
  }
  for (const char* type : {"JWT", "at+jwt", "application/at+JWT"}) {
    EXPECT_EQ(Why(Admit(Usual(), All().rsa.Token({{"alg", "RS256"}, {"typ", type}}, Claims()))),
              "");
  }
}

TEST(JwtAccess, ChecksTimes) {
  const std::int64_t now = Now();
  EXPECT_EQ(Why(AdmitClaims(With(Claims(), "exp", now - 10))), "");  // clocks differ
  EXPECT_EQ(Why(AdmitClaims(With(Claims(), "exp", now - 60))), "the token has expired");
  EXPECT_EQ(Why(AdmitClaims(With(Claims(), "exp", 0.5))), "the token has expired");
  EXPECT_EQ(Why(AdmitClaims(With(Claims(), "exp", static_cast<double>(now) + 10.5))), "");
  const std::string missing = "the token does not say when it expires";
  EXPECT_EQ(Why(AdmitClaims(Without(Claims(), "exp"))), missing);
  EXPECT_EQ(Why(AdmitClaims(With(Claims(), "exp", json::string(std::to_string(now + 600))))),
            missing);
  EXPECT_EQ(Why(AdmitClaims(With(Claims(), "exp", nullptr))), missing);
  EXPECT_EQ(Why(AdmitClaims(With(Claims(), "exp", -1))), missing);
  for (const char* name : {"nbf", "iat"}) {
    EXPECT_EQ(Why(AdmitClaims(With(Claims(), name, now + 10))), "");
    EXPECT_EQ(Why(AdmitClaims(With(Claims(), name, now + 60))), "the token is not valid yet");
    EXPECT_EQ(Why(AdmitClaims(With(Claims(), name, "now"))), "the token is not valid yet");
  }
}

TEST(JwtAccess, ChecksWhoIssuedItAndForWhom) {
  const std::string not_for_us = "the token is not for this server";
  EXPECT_EQ(Why(AdmitClaims(With(Claims(), "aud", json::array{"x", kResource}))), "");
  EXPECT_EQ(Why(AdmitClaims(With(Claims(), "aud", json::array{"x", 1}))), not_for_us);
  EXPECT_EQ(Why(AdmitClaims(With(Claims(), "aud", json::array{}))), not_for_us);
  EXPECT_EQ(Why(AdmitClaims(With(Claims(), "aud", "https://files.example/mcp/"))), not_for_us);
  EXPECT_EQ(Why(AdmitClaims(With(Claims(), "aud", "https://files.example"))), not_for_us);
  EXPECT_EQ(Why(AdmitClaims(Without(Claims(), "aud"))), not_for_us);
  const std::string stranger = "the token is from an issuer that is not trusted";
  EXPECT_EQ(Why(AdmitClaims(With(Claims(), "iss", "https://login.example/"))), stranger);
  EXPECT_EQ(Why(AdmitClaims(With(Claims(), "iss", json::array{kIssuer}))), stranger);
  EXPECT_EQ(Why(AdmitClaims(Without(Claims(), "iss"))), stranger);
  EXPECT_NE(Why(AdmitClaims(Without(Claims(), "sub"))), "");
  EXPECT_NE(Why(AdmitClaims(With(Claims(), "sub", ""))), "");
  EXPECT_NE(Why(AdmitClaims(With(Claims(), "sub", 7))), "");
}

TEST(JwtAccess, ReadsScopesWhereTheyMayStand) {
  EXPECT_EQ(AdmitClaims(Without(Claims(), "scope"))->scopes, "");  // none, not every one
  const json::object bare = Without(Claims(), "scope");
  EXPECT_EQ(AdmitClaims(With(bare, "scp", json::array{"a", "b"}))->scopes, "a b");
  EXPECT_EQ(AdmitClaims(With(bare, "scp", "a b"))->scopes, "a b");
  EXPECT_FALSE(AdmitClaims(With(bare, "scp", json::array{"a", 1})).has_value());
  EXPECT_FALSE(AdmitClaims(With(Claims(), "scope", 1)).has_value());
}

TEST(JwtAccess, RefusesDamagedTokens) {
  const std::string good = All().rsa.Token({{"alg", "RS256"}, {"kid", "rsa"}}, Claims());
  ASSERT_EQ(Why(Admit(Usual(), good)), "");
  for (std::size_t length = 0; length < good.size(); length += 7) {
    EXPECT_NE(Why(Admit(Usual(), good.substr(0, length))), "") << length;
  }
  for (std::size_t at = 0; at < good.size() - 3; at += 5) {  // the last letter holds spare bits
    std::string bad = good;
    bad[at] = bad[at] == 'A' ? 'B' : 'A';
    EXPECT_NE(Why(Admit(Usual(), bad)), "") << at;
  }
  for (const std::string& bad :
       {good + ".x", "." + good, good + "=", std::string(".."), std::string("a.b.c"),
        ForUrls("[]") + ".e30.AAAA", ForUrls(R"({"alg":["RS256"]})") + ".e30.AAAA"}) {
    EXPECT_NE(Why(Admit(Usual(), bad)), "") << bad.substr(0, 40);
  }
  EXPECT_EQ(Why(Admit(Usual(), std::string(100'000, 'a'))), "the token is too long");
  json::object many = Claims();
  many["x"] = json::string(10'000, 'x');
  EXPECT_EQ(Why(AdmitClaims(many)), "the token is too long");
}

TEST(JwtAccess, TellsWhereTokensComeFrom) {
  const json::object* metadata = Usual().metadata();
  ASSERT_NE(metadata, nullptr);
  EXPECT_EQ(
      json::serialize(*metadata),
      R"({"resource":"https://files.example/mcp","authorization_servers":["https://login.example"],)"
      R"("scopes_supported":["files:read"],"bearer_methods_supported":["header"]})");
}

TEST(JwtAccess, NeedsCompleteTerms) {
  const std::string jwks = Jwks({All().rsa.Public()});
  const auto code = [](JwtTerms terms) {
    const auto access = JwtAccess(std::move(terms));
    return access ? std::string_view("none") : ErrorCodeName(access.error().code);
  };
  EXPECT_EQ(code(Terms(jwks)), "none");
  JwtTerms terms = Terms(jwks);
  terms.resource = "";
  EXPECT_EQ(code(terms), "INVALID_ARGUMENTS");
  terms = Terms(jwks);
  terms.issuers.clear();
  EXPECT_EQ(code(terms), "INVALID_ARGUMENTS");
  terms.issuers = {"a b"};
  EXPECT_EQ(code(terms), "INVALID_ARGUMENTS");
  const json::object rsa = All().rsa.Public();
  for (const std::string& bad :
       {std::string(), std::string("{"), std::string("[]"), std::string("{}"), Jwks({}),
        std::string(R"({"keys":{}})"), std::string(R"({"keys":[1,{}]})"),
        Jwks({json::object{{"kty", "oct"}, {"k", "c2VjcmV0c2VjcmV0c2VjcmV0"}}}),
        Jwks({SigningKey::Rsa(1024).Public()}), Jwks({SigningKey::Ec("P-521").Public()}),
        Jwks({With(rsa, "use", "enc")}), Jwks({With(rsa, "alg", "RSA-OAEP")}),
        Jwks({With(rsa, "key_ops", json::array{"encrypt"})}), Jwks({Without(rsa, "n")})}) {
    EXPECT_EQ(code(Terms(bad)), "INVALID_ARGUMENTS") << bad.substr(0, 60);
  }
}

TEST(JwtAccess, MayBeAskedByManyAtATime) {
  const std::string good = All().rsa.Token({{"alg", "RS256"}, {"kid", "rsa"}}, Claims());
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i) EXPECT_EQ(Why(Admit(Usual(), good)), "");
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace cordon::auth
