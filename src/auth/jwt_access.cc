#include "auth/jwt_access.h"

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <utility>

#include "auth/bearer_header.h"
#include "auth/jwt_claims.h"
#include "auth/jwt_keys.h"
#include "base/base64.h"
#include "base/try.h"

namespace cordon::auth {
namespace {

namespace json = boost::json;

constexpr std::size_t kLongest = std::size_t{8} << 10;  // of a token

// Base64 for URLs: two other letters, and no padding.
std::optional<std::string> DecodeForUrls(std::string_view text) {
  std::string usual(text);
  for (char& letter : usual) {
    if (letter == '+' || letter == '/' || letter == '=') return std::nullopt;
    if (letter == '-') letter = '+';
    if (letter == '_') letter = '/';
  }
  usual.append((4 - usual.size() % 4) % 4, '=');
  return Base64Decode(usual);
}

std::optional<json::object> ParseObject(std::string_view text) {
  boost::system::error_code failed;
  json::value parsed = json::parse(json::string_view(text.data(), text.size()), failed);
  if (failed || !parsed.is_object()) return std::nullopt;
  return std::move(parsed.get_object());
}

struct Header {
  std::string algorithm;
  std::optional<std::string> key;
};

bool IsAccessTokenType(std::string_view type) {
  std::string lower(type);
  for (char& letter : lower) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return lower == "jwt" || lower == "at+jwt" || lower == "application/at+jwt";
}

Result<Header> ParseHeader(std::string_view token) {
  const Error bad = Refused("the token is no signed JWT");
  if (std::count(token.begin(), token.end(), '.') != 2) return bad;
  // The library is more lenient here; one token must have one spelling.
  if (token.find_first_of("+/=~") != std::string_view::npos) return bad;
  const auto text = DecodeForUrls(token.substr(0, token.find('.')));
  const auto header = text ? ParseObject(*text) : std::nullopt;
  if (!header) return bad;
  // What must be understood is not, and keys that a token brings along prove nothing.
  if (header->contains("crit")) return Refused("the token has critical header fields");
  const json::value* algorithm = header->if_contains("alg");
  if (algorithm == nullptr || !algorithm->is_string() ||
      !IsKnownAlgorithm(std::string_view(algorithm->get_string()))) {
    return Refused("the token is signed in a way that is not accepted");
  }
  const json::value* type = header->if_contains("typ");
  if (type != nullptr &&
      (!type->is_string() || !IsAccessTokenType(std::string_view(type->get_string())))) {
    return Refused("the token is no access token");
  }
  Header result;
  result.algorithm = std::string(algorithm->get_string());
  if (const json::value* key = header->if_contains("kid")) {
    if (!key->is_string()) return bad;
    result.key = std::string(key->get_string());
  }
  return result;
}

class SignedTokens final : public Access {
 public:
  SignedTokens(JwtTerms terms, std::vector<std::unique_ptr<JwtKey>> keys)
      : terms_(std::move(terms)), keys_(std::move(keys)) {
    metadata_["resource"] = terms_.resource;
    metadata_["authorization_servers"] = json::array(terms_.issuers.begin(), terms_.issuers.end());
    if (!terms_.scopes.empty()) {
      metadata_["scopes_supported"] = json::array(terms_.scopes.begin(), terms_.scopes.end());
    }
    metadata_["bearer_methods_supported"] = json::array({"header"});
  }

  Result<Party> Admit(std::optional<std::string_view> header) const override;
  const json::object* metadata() const override { return &metadata_; }

 private:
  const JwtKey* Choose(const Header& header) const;

  const JwtTerms terms_;
  const std::vector<std::unique_ptr<JwtKey>> keys_;
  json::object metadata_;
};

// By its name; without one, if only one key could be meant. Never by trying.
const JwtKey* SignedTokens::Choose(const Header& header) const {
  const JwtKey* chosen = nullptr;
  for (const auto& key : keys_) {
    if (!key->Fits(header.algorithm)) continue;
    if (header.key && key->id() != *header.key) continue;
    if (chosen != nullptr) return nullptr;
    chosen = key.get();
  }
  return chosen;
}

Result<Party> SignedTokens::Admit(std::optional<std::string_view> header) const {
  TRY_ASSIGN(const std::string_view token, TokenOf(header));
  if (token.size() > kLongest) return Refused("the token is too long");
  TRY_ASSIGN(const Header parsed, ParseHeader(token));
  const JwtKey* key = Choose(parsed);
  if (key == nullptr) return Refused("the token is signed by a key that is not known");
  TRY_ASSIGN(const std::string payload, key->Verify(token, parsed.algorithm));
  const auto claims = ParseObject(payload);
  if (!claims) return Refused("the token holds no claims");
  return CheckClaims(*claims, terms_, std::chrono::system_clock::now());
}

Error NotComplete(std::string detail) {
  Error error;
  error.code = ErrorCode::kInvalidArguments;
  error.op = "access tokens";
  error.detail = std::move(detail);
  return error;
}

}  // namespace

Result<std::unique_ptr<Access>> JwtAccess(JwtTerms terms) {
  if (terms.resource.empty()) return NotComplete("the URL of this server is needed");
  if (terms.issuers.empty()) return NotComplete("at least one issuer is needed");
  for (const std::string& issuer : terms.issuers) {
    if (issuer.empty() || issuer.find(' ') != std::string::npos) {
      return NotComplete("an issuer is a URL");
    }
  }
  if (terms.leeway < std::chrono::seconds(0))
    return NotComplete("clocks cannot differ by less than 0");
  TRY_ASSIGN(std::vector<std::unique_ptr<JwtKey>> keys, ParseKeys(terms.jwks));
  return std::unique_ptr<Access>(std::make_unique<SignedTokens>(std::move(terms), std::move(keys)));
}

}  // namespace cordon::auth
