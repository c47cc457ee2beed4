// SHA-256 and its keyed form, and the only place that calls the cryptographic library.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace cordon {

using Digest = std::array<std::uint8_t, 32>;

Digest Sha256(std::string_view bytes);

// Takes bytes piece by piece.
class Sha256Stream {
 public:
  Sha256Stream();
  Sha256Stream(Sha256Stream&&) noexcept;
  Sha256Stream& operator=(Sha256Stream&&) noexcept;
  ~Sha256Stream();
  void Add(std::string_view bytes);
  Digest Finish();  // once

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// HMAC-SHA-256 under one key, prepared once.
// Thread safety: one object serves one thread at a time.
class HmacSha256 {
 public:
  explicit HmacSha256(std::string_view key);
  HmacSha256(HmacSha256&&) noexcept;
  HmacSha256& operator=(HmacSha256&&) noexcept;
  ~HmacSha256();
  Digest Of(std::string_view bytes);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// In time that does not depend on where they differ.
bool SameDigest(const Digest& a, const Digest& b);

// 64 lower-case hexadecimal digits.
std::string ToHex(const Digest& digest);
void AppendHex(std::string& text, const Digest& digest);
// Nothing but exactly 64 lower-case digits is accepted.
std::optional<Digest> FromHex(std::string_view hex);

}  // namespace cordon
