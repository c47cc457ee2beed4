#include "auth/jwt_keys.h"

#include <cjose/cjose.h>

#include <algorithm>
#include <array>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <cstring>
#include <mutex>
#include <utility>

#include "auth/bearer_header.h"
#include "base/try.h"

namespace cordon::auth {
namespace {

namespace json = boost::json;

constexpr std::size_t kSmallestRsa = 2048;
constexpr std::array<std::string_view, 8> kAlgorithms = {"RS256", "RS384", "RS512", "PS256",
                                                         "PS384", "PS512", "ES256", "ES384"};

struct Release {
  void operator()(cjose_jwk_t* key) const { cjose_jwk_release(key); }
  void operator()(cjose_jws_t* token) const { cjose_jws_release(token); }
};

Error NoKeys(std::string detail) {
  Error error;
  error.code = ErrorCode::kInvalidArguments;
  error.op = "jwks";
  error.detail = std::move(detail);
  return error;
}

// "" for a key that signs nothing we take.
std::string_view FamilyOf(const cjose_jwk_t* key) {
  cjose_err failed = {};
  switch (cjose_jwk_get_kty(key, &failed)) {
    case CJOSE_JWK_KTY_RSA: return cjose_jwk_get_keysize(key, &failed) >= kSmallestRsa ? "RSA" : "";
    case CJOSE_JWK_KTY_EC:
      switch (cjose_jwk_EC_get_curve(key, &failed)) {
        case CJOSE_JWK_EC_P_256: return "ES256";
        case CJOSE_JWK_EC_P_384: return "ES384";
        default: return "";
      }
    default: return "";
  }
}

class Key final : public JwtKey {
 public:
  Key(cjose_jwk_t* key, std::string id, std::string algorithm)
      : key_(key), family_(FamilyOf(key)), id_(std::move(id)), algorithm_(std::move(algorithm)) {}

  bool usable() const { return !family_.empty(); }
  const std::string& id() const override { return id_; }
  bool Fits(std::string_view algorithm) const override;
  Result<std::string> Verify(std::string_view token, std::string_view algorithm) const override;

 private:
  const std::unique_ptr<cjose_jwk_t, Release> key_;
  mutable std::mutex mutex_;  // the library does not say whether a key may be shared
  const std::string_view family_;
  const std::string id_;
  const std::string algorithm_;  // the only one it is for; "" if it does not say
};

bool Key::Fits(std::string_view algorithm) const {
  if (!algorithm_.empty() && algorithm_ != algorithm) return false;
  if (family_ == "RSA") return algorithm.starts_with("RS") || algorithm.starts_with("PS");
  return usable() && family_ == algorithm;
}

Result<std::string> Key::Verify(std::string_view token, std::string_view algorithm) const {
  const Error bad = Refused("the token is not signed by a key that is trusted");
  if (!IsKnownAlgorithm(algorithm) || !Fits(algorithm)) return bad;
  const std::lock_guard lock(mutex_);
  cjose_err failed = {};
  const std::unique_ptr<cjose_jws_t, Release> parsed(
      cjose_jws_import(token.data(), token.size(), &failed));
  if (!parsed) return bad;
  // The library reads the header for itself; it must have read what we did.
  const char* seen =
      cjose_header_get(cjose_jws_get_protected(parsed.get()), CJOSE_HDR_ALG, &failed);
  if (seen == nullptr || algorithm != seen) return bad;
  if (!cjose_jws_verify(parsed.get(), key_.get(), &failed)) return bad;
  std::uint8_t* payload = nullptr;
  std::size_t size = 0;
  if (!cjose_jws_get_plaintext(parsed.get(), &payload, &size, &failed)) return bad;
  return std::string(payload, payload + size);
}

// The text of a member, "" if there is none; nothing if it is no text.
std::optional<std::string> Text(const json::object& object, std::string_view name) {
  const json::value* found = object.if_contains(name);
  if (found == nullptr) return "";
  if (!found->is_string()) return std::nullopt;
  return std::string(found->get_string());
}

bool MayVerify(const json::object& key) {
  const auto use = Text(key, "use");
  if (!use || (!use->empty() && *use != "sig")) return false;
  const json::value* operations = key.if_contains("key_ops");
  if (operations == nullptr) return true;
  if (!operations->is_array()) return false;
  const json::array& all = operations->get_array();
  return std::any_of(all.begin(), all.end(), [](const json::value& operation) {
    return operation.is_string() && operation.get_string() == "verify";
  });
}

std::unique_ptr<Key> ParseKey(const json::object& object) {
  const auto id = Text(object, "kid");
  const auto algorithm = Text(object, "alg");
  if (!id || !algorithm || !MayVerify(object)) return nullptr;
  if (!algorithm->empty() && !IsKnownAlgorithm(*algorithm)) return nullptr;
  const std::string text = json::serialize(object);
  cjose_err failed = {};
  cjose_jwk_t* imported = cjose_jwk_import(text.data(), text.size(), &failed);
  if (imported == nullptr) return nullptr;
  auto key = std::make_unique<Key>(imported, *id, *algorithm);
  return key->usable() ? std::move(key) : nullptr;
}

}  // namespace

bool IsKnownAlgorithm(std::string_view algorithm) {
  return std::find(kAlgorithms.begin(), kAlgorithms.end(), algorithm) != kAlgorithms.end();
}

Result<std::vector<std::unique_ptr<JwtKey>>> ParseKeys(std::string_view jwks) {
  boost::system::error_code failed;
  const json::value parsed = json::parse(json::string_view(jwks.data(), jwks.size()), failed);
  if (failed || !parsed.is_object()) return NoKeys("a JWKS file is a JSON object");
  const json::value* list = parsed.get_object().if_contains("keys");
  if (list == nullptr || !list->is_array()) return NoKeys("a JWKS file has an array `keys`");
  std::vector<std::unique_ptr<JwtKey>> keys;
  for (const json::value& entry : list->get_array()) {
    if (!entry.is_object()) continue;
    if (auto key = ParseKey(entry.get_object())) keys.push_back(std::move(key));
  }
  if (keys.empty()) return NoKeys("the JWKS file has no key that could verify a token");
  return keys;
}

}  // namespace cordon::auth
