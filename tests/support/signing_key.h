// An authorization server's part: keys, and tokens signed with them.
#pragma once

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rsa.h>

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <memory>
#include <string>
#include <string_view>

#include "base/base64.h"

namespace cordon::test {

inline std::string ForUrls(std::string_view bytes) {
  std::string text = Base64Encode(bytes);
  while (text.ends_with('=')) text.pop_back();
  for (char& letter : text) {
    if (letter == '+') letter = '-';
    if (letter == '/') letter = '_';
  }
  return text;
}

class SigningKey {
 public:
  static SigningKey Rsa(unsigned bits = 2048) { return SigningKey(EVP_RSA_gen(bits)); }
  static SigningKey Ec(const char* curve) { return SigningKey(EVP_EC_gen(curve)); }

  // Its public part, as a JWK.
  boost::json::object Public() const {
    boost::json::object jwk;
    if (EVP_PKEY_is_a(key_.get(), "RSA") == 1) {
      jwk["kty"] = "RSA";
      jwk["n"] = ForUrls(Number(OSSL_PKEY_PARAM_RSA_N, 0));
      jwk["e"] = ForUrls(Number(OSSL_PKEY_PARAM_RSA_E, 0));
    } else {
      const std::size_t size = static_cast<std::size_t>(EVP_PKEY_get_bits(key_.get()) + 7) / 8;
      jwk["kty"] = "EC";
      jwk["crv"] = size == 32 ? "P-256" : size == 48 ? "P-384" : "P-521";
      jwk["x"] = ForUrls(Number(OSSL_PKEY_PARAM_EC_PUB_X, size));
      jwk["y"] = ForUrls(Number(OSSL_PKEY_PARAM_EC_PUB_Y, size));
    }
    return jwk;
  }

  // A token in compact form; signed as `header` says in "alg".
  std::string Token(const boost::json::object& header, const boost::json::object& claims) const {
    const std::string algorithm(header.at("alg").as_string());
    const std::string text =
        ForUrls(boost::json::serialize(header)) + "." + ForUrls(boost::json::serialize(claims));
    return text + "." + ForUrls(Sign(text, algorithm));
  }

  std::string Sign(std::string_view text, std::string_view algorithm) const {
    const EVP_MD* digest = algorithm.ends_with("512")   ? EVP_sha512()
                           : algorithm.ends_with("384") ? EVP_sha384()
                                                        : EVP_sha256();
    const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(),
                                                                          EVP_MD_CTX_free);
    EVP_PKEY_CTX* options = nullptr;
    if (EVP_DigestSignInit(context.get(), &options, digest, nullptr, key_.get()) != 1) return "";
    if (algorithm.starts_with("PS")) {
      EVP_PKEY_CTX_set_rsa_padding(options, RSA_PKCS1_PSS_PADDING);
      EVP_PKEY_CTX_set_rsa_pss_saltlen(options, RSA_PSS_SALTLEN_DIGEST);
    }
    const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
    std::size_t size = 0;
    EVP_DigestSign(context.get(), nullptr, &size, bytes, text.size());
    std::string signature(size, '\0');
    auto* out = reinterpret_cast<unsigned char*>(signature.data());
    EVP_DigestSign(context.get(), out, &size, bytes, text.size());
    signature.resize(size);
    return EVP_PKEY_is_a(key_.get(), "EC") == 1 ? Flat(signature) : signature;
  }

 private:
  explicit SigningKey(EVP_PKEY* key) : key_(key, EVP_PKEY_free) {}

  std::string Number(const char* name, std::size_t size) const {
    BIGNUM* number = nullptr;
    EVP_PKEY_get_bn_param(key_.get(), name, &number);
    std::string bytes(size != 0 ? size : static_cast<std::size_t>(BN_num_bytes(number)), '\0');
    BN_bn2binpad(number, reinterpret_cast<unsigned char*>(bytes.data()),
                 static_cast<int>(bytes.size()));
    BN_free(number);
    return bytes;
  }

  // Two numbers of a fixed size, not DER.
  std::string Flat(const std::string& der) const {
    const auto* at = reinterpret_cast<const unsigned char*>(der.data());
    ECDSA_SIG* pair = d2i_ECDSA_SIG(nullptr, &at, static_cast<long>(der.size()));
    const int half = (EVP_PKEY_get_bits(key_.get()) + 7) / 8;
    std::string flat(static_cast<std::size_t>(half) * 2, '\0');
    auto* out = reinterpret_cast<unsigned char*>(flat.data());
    BN_bn2binpad(ECDSA_SIG_get0_r(pair), out, half);
    BN_bn2binpad(ECDSA_SIG_get0_s(pair), out + half, half);
    ECDSA_SIG_free(pair);
    return flat;
  }

  std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key_;
};

}  // namespace cordon::test
