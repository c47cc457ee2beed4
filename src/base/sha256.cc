// The library's own HMAC allocates and copies contexts for every message, which takes as
// long as the hash of a line of the audit log, and brings every algorithm it knows into the
// program, which then starts at half the speed. Its plain SHA-256 calls do neither; they are
// marked as old, and will stay as long as OpenSSL 3 does.
#define OPENSSL_SUPPRESS_DEPRECATED

#include "base/sha256.h"

#include <openssl/crypto.h>
#include <openssl/sha.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace cordon {
namespace {

// The library fails only when it is broken or out of memory: nothing may go on then.
void Must(bool done) {
  if (!done) throw std::runtime_error("the cryptographic library failed");
}

constexpr std::string_view kHexDigits = "0123456789abcdef";

// Both digits of each byte.
constexpr std::array<char, 512> kHexPairs = [] {
  std::array<char, 512> pairs{};
  for (std::size_t byte = 0; byte < 256; ++byte) {
    pairs[2 * byte] = kHexDigits[byte >> 4U];
    pairs[2 * byte + 1] = kHexDigits[byte & 15U];
  }
  return pairs;
}();

using Block = std::array<unsigned char, SHA256_CBLOCK>;

// A hash that has taken one block, the key with every byte changed by `pad` (RFC 2104).
SHA256_CTX AfterPaddedKey(Block key, unsigned char pad) {
  for (unsigned char& byte : key) byte = static_cast<unsigned char>(byte ^ pad);
  SHA256_CTX context;
  const bool done =
      SHA256_Init(&context) == 1 && SHA256_Update(&context, key.data(), key.size()) == 1;
  OPENSSL_cleanse(key.data(), key.size());
  Must(done);
  return context;
}

Digest FinishWith(SHA256_CTX context, const void* bytes, std::size_t size) {
  Digest digest{};
  Must(SHA256_Update(&context, bytes, size) == 1);
  Must(SHA256_Final(digest.data(), &context) == 1);
  return digest;
}

}  // namespace

struct Sha256Stream::State {
  SHA256_CTX context{};
};

Sha256Stream::Sha256Stream() : state_(std::make_unique<State>()) {
  Must(SHA256_Init(&state_->context) == 1);
}
Sha256Stream::Sha256Stream(Sha256Stream&&) noexcept = default;
Sha256Stream& Sha256Stream::operator=(Sha256Stream&&) noexcept = default;
Sha256Stream::~Sha256Stream() = default;

void Sha256Stream::Add(std::string_view bytes) {
  Must(SHA256_Update(&state_->context, bytes.data(), bytes.size()) == 1);
}

Digest Sha256Stream::Finish() {
  Digest digest{};
  Must(SHA256_Final(digest.data(), &state_->context) == 1);
  return digest;
}

Digest Sha256(std::string_view bytes) {
  SHA256_CTX context;
  Must(SHA256_Init(&context) == 1);
  return FinishWith(context, bytes.data(), bytes.size());
}

struct HmacSha256::State {
  SHA256_CTX inner{}, outer{};
  ~State() { OPENSSL_cleanse(this, sizeof *this); }
};

HmacSha256::HmacSha256(std::string_view key) : state_(std::make_unique<State>()) {
  Block block{};
  if (key.size() > block.size()) {
    const Digest digest = Sha256(key);
    std::copy(digest.begin(), digest.end(), block.begin());
  } else {
    std::copy(key.begin(), key.end(), block.begin());
  }
  state_->inner = AfterPaddedKey(block, 0x36);
  state_->outer = AfterPaddedKey(block, 0x5C);
  OPENSSL_cleanse(block.data(), block.size());
}
HmacSha256::HmacSha256(HmacSha256&&) noexcept = default;
HmacSha256& HmacSha256::operator=(HmacSha256&&) noexcept = default;
HmacSha256::~HmacSha256() = default;

Digest HmacSha256::Of(std::string_view bytes) {
  const Digest inner = FinishWith(state_->inner, bytes.data(), bytes.size());
  return FinishWith(state_->outer, inner.data(), inner.size());
}

bool SameDigest(const Digest& a, const Digest& b) {
  return CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

void AppendHex(std::string& text, const Digest& digest) {
  std::array<char, 2 * std::tuple_size_v<Digest>> hex;
  char* at = hex.data();
  for (const std::uint8_t byte : digest) {
    std::memcpy(at, kHexPairs.data() + 2 * std::size_t{byte}, 2);
    at += 2;
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
