#include "base/sha256.h"

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/params.h>

#include <stdexcept>
#include <utility>

namespace cordon {
namespace {

// The library fails only when it is broken or out of memory: nothing may go on then.
void Must(bool done) {
  if (!done) throw std::runtime_error("the cryptographic library failed");
}

constexpr std::string_view kHexDigits = "0123456789abcdef";

}  // namespace

struct Sha256Stream::State {
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context{EVP_MD_CTX_new(),
                                                                  &EVP_MD_CTX_free};
};

Sha256Stream::Sha256Stream() : state_(std::make_unique<State>()) {
  Must(state_->context != nullptr);
  Must(EVP_DigestInit_ex(state_->context.get(), EVP_sha256(), nullptr) == 1);
}
Sha256Stream::Sha256Stream(Sha256Stream&&) noexcept = default;
Sha256Stream& Sha256Stream::operator=(Sha256Stream&&) noexcept = default;
Sha256Stream::~Sha256Stream() = default;

void Sha256Stream::Add(std::string_view bytes) {
  Must(EVP_DigestUpdate(state_->context.get(), bytes.data(), bytes.size()) == 1);
}

Digest Sha256Stream::Finish() {
  Digest digest{};
  unsigned int size = 0;
  Must(EVP_DigestFinal_ex(state_->context.get(), digest.data(), &size) == 1);
  Must(size == digest.size());
  return digest;
}

Digest Sha256(std::string_view bytes) {
  Sha256Stream stream;
  stream.Add(bytes);
  return stream.Finish();
}

struct HmacSha256::State {
  std::unique_ptr<EVP_MAC, decltype(&EVP_MAC_free)> algorithm{
      EVP_MAC_fetch(nullptr, "HMAC", nullptr), &EVP_MAC_free};
  std::unique_ptr<EVP_MAC_CTX, decltype(&EVP_MAC_CTX_free)> context{
      EVP_MAC_CTX_new(algorithm.get()), &EVP_MAC_CTX_free};
};

HmacSha256::HmacSha256(std::string_view key) : state_(std::make_unique<State>()) {
  Must(state_->context != nullptr);
  std::string digest_name = "SHA256";
  const OSSL_PARAM parameters[] = {
      OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest_name.data(),
                                       digest_name.size()),
      OSSL_PARAM_construct_end()};
  Must(EVP_MAC_init(state_->context.get(), reinterpret_cast<const unsigned char*>(key.data()),
                    key.size(), parameters) == 1);
}
HmacSha256::HmacSha256(HmacSha256&&) noexcept = default;
HmacSha256& HmacSha256::operator=(HmacSha256&&) noexcept = default;
HmacSha256::~HmacSha256() = default;

Digest HmacSha256::Of(std::string_view bytes) {
  EVP_MAC_CTX* const context = state_->context.get();
  Digest digest{};
  std::size_t size = 0;
  Must(EVP_MAC_init(context, nullptr, 0, nullptr) == 1);  // keeps the key
  Must(EVP_MAC_update(context, reinterpret_cast<const unsigned char*>(bytes.data()),
                      bytes.size()) == 1);
  Must(EVP_MAC_final(context, digest.data(), &size, digest.size()) == 1);
  Must(size == digest.size());
  return digest;
}

bool SameDigest(const Digest& a, const Digest& b) {
  return CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

void AppendHex(std::string& text, const Digest& digest) {
  std::array<char, 2 * std::tuple_size_v<Digest>> hex;
  char* at = hex.data();
  for (const std::uint8_t byte : digest) {
    *at++ = kHexDigits.data()[byte >> 4U];
    *at++ = kHexDigits.data()[byte & 15U];
  }
  text.append(hex.data(), hex.size());
}

std::string ToHex(const Digest& digest) {
  std::string text;
  text.reserve(2 * digest.size());
  AppendHex(text, digest);
  return text;
}

std::optional<Digest> FromHex(std::string_view hex) {
  Digest digest{};
  if (hex.size() != 2 * digest.size()) return std::nullopt;
  for (std::size_t i = 0; i < hex.size(); ++i) {
    const std::size_t value = kHexDigits.find(hex[i]);
    if (value == std::string_view::npos) return std::nullopt;
    digest[i / 2] = static_cast<std::uint8_t>((digest[i / 2] << 4U) | value);
  }
  return digest;
}

}  // namespace cordon
