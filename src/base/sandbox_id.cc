#include "base/sandbox_id.h"

#include <algorithm>

namespace cordon {
namespace {

constexpr std::string_view kAlphabet = "abcdefghijklmnopqrstuvwxyz234567";
constexpr unsigned kBitsPerCharacter = 5;
constexpr std::size_t kLongestLabel = 63;  // RFC 1035

static_assert(SandboxId::kRandomBytes * 8 >= SandboxId::kLength * kBitsPerCharacter);

// Not std::isalnum: what a letter is must not depend on a locale.
bool IsLetterOrDigit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

}  // namespace

SandboxId SandboxId::FromRandom(std::span<const std::uint8_t, kRandomBytes> random) {
  std::string text;
  text.reserve(kLength);
  std::uint32_t bits = 0;
  unsigned have = 0;
  for (std::size_t at = 0; text.size() < kLength;) {
    if (have < kBitsPerCharacter) {
      bits = (bits << 8) | random[at++];
      have += 8;
    }
    have -= kBitsPerCharacter;
    text += kAlphabet[(bits >> have) & 31];
  }
  return SandboxId(std::move(text));
}

std::optional<SandboxId> SandboxId::Parse(std::string_view untrusted) {
  if (untrusted.size() != kLength || untrusted.find_first_not_of(kAlphabet) != untrusted.npos) {
    return std::nullopt;
  }
  return SandboxId(std::string(untrusted));
}

bool IsUrlSafeSandboxId(std::string_view untrusted) {
  if (untrusted.empty() || untrusted.size() > kLongestLabel) return false;
  if (untrusted.front() == '-' || untrusted.back() == '-') return false;
  return std::all_of(untrusted.begin(), untrusted.end(),
                     [](char c) { return c == '-' || IsLetterOrDigit(c); });
}

}  // namespace cordon
