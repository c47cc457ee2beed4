#include "auth/jwt_claims.h"

#include <algorithm>
#include <cmath>

#include "auth/bearer_header.h"
#include "base/try.h"

namespace cordon::auth {
namespace {

namespace json = boost::json;

// Seconds since 1970, as RFC 7519 has them; nothing if it is no such number.
std::optional<double> Seconds(const json::value& value) {
  if (!value.is_number()) return std::nullopt;
  const double seconds = value.to_number<double>();
  if (!std::isfinite(seconds) || seconds < 0) return std::nullopt;
  return seconds;
}

Status CheckTimes(const json::object& claims, double now, double leeway) {
  const json::value* expires = claims.if_contains("exp");
  const auto end = expires != nullptr ? Seconds(*expires) : std::nullopt;
  if (!end) return Refused("the token does not say when it expires");
  if (now >= *end + leeway) return Refused("the token has expired");
  for (const std::string_view name : {"nbf", "iat"}) {
    const json::value* begins = claims.if_contains(name);
    if (begins == nullptr) continue;
    const auto begin = Seconds(*begins);
    if (!begin || now + leeway < *begin) return Refused("the token is not valid yet");
  }
  return {};
}

bool Is(const json::value& value, std::string_view text) {
  return value.is_string() && std::string_view(value.get_string()) == text;
}

bool IsFor(const json::object& claims, std::string_view resource) {
  const json::value* audience = claims.if_contains("aud");
  if (audience == nullptr) return false;
  if (!audience->is_array()) return Is(*audience, resource);
  const json::array& all = audience->get_array();
  return std::any_of(all.begin(), all.end(),
                     [&](const json::value& one) { return Is(one, resource); });
}

// Of "scope", RFC 9068, or of "scp", as some have it; none if neither is there.
Result<std::string> Scopes(const json::object& claims) {
  const json::value* scope = claims.if_contains("scope");
  if (scope == nullptr) scope = claims.if_contains("scp");
  if (scope == nullptr) return std::string();
  if (scope->is_string()) return std::string(scope->get_string());
  if (!scope->is_array()) return Refused("the scopes of the token cannot be read");
  std::string scopes;
  for (const json::value& one : scope->get_array()) {
    if (!one.is_string()) return Refused("the scopes of the token cannot be read");
    if (!scopes.empty()) scopes += ' ';
    scopes += std::string_view(one.get_string());
  }
  return scopes;
}

}  // namespace

Result<Party> CheckClaims(const json::object& claims, const JwtTerms& terms,
                          std::chrono::system_clock::time_point now) {
  TRY(CheckTimes(claims, std::chrono::duration<double>(now.time_since_epoch()).count(),
                 std::chrono::duration<double>(terms.leeway).count()));
  const json::value* issuer = claims.if_contains("iss");
  if (issuer == nullptr ||
      std::none_of(terms.issuers.begin(), terms.issuers.end(),
                   [&](const std::string& known) { return Is(*issuer, known); })) {
    return Refused("the token is from an issuer that is not trusted");
  }
  if (!IsFor(claims, terms.resource)) return Refused("the token is not for this server");
  const json::value* subject = claims.if_contains("sub");
  if (subject == nullptr || !subject->is_string() || subject->get_string().empty()) {
    return Refused("the token does not say whose it is");
  }
  Party party;
  party.id = std::string(issuer->get_string());  // holds no blank, so that the two stay apart
  party.id += ' ';
  party.id += std::string_view(subject->get_string());
  TRY_ASSIGN(party.scopes, Scopes(claims));
  return party;
}

}  // namespace cordon::auth
