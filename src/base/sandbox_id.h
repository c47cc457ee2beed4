// Names of sandboxes: what is in URLs, host names, directories and labels.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace cordon {

// 26 characters of a-z and 2-7: fits a host name's label, with room for a prefix and a port.
// Only Parse and FromRandom make one, so that whoever holds one need not check it.
class SandboxId {
 public:
  static constexpr std::size_t kLength = 26;
  static constexpr std::size_t kRandomBytes = 17;

  static SandboxId FromRandom(std::span<const std::uint8_t, kRandomBytes> random);
  // Unset for anything else, upper case included.
  static std::optional<SandboxId> Parse(std::string_view untrusted);

  const std::string& text() const { return text_; }
  bool operator==(const SandboxId&) const = default;
  std::strong_ordering operator<=>(const SandboxId& other) const { return text_ <=> other.text_; }

 private:
  explicit SandboxId(std::string text) : text_(std::move(text)) {}
  std::string text_;
};

// Whether a name from elsewhere could be one in a host name: letters, digits and inner
// hyphens, 63 at most. Wider than SandboxId::Parse.
bool IsUrlSafeSandboxId(std::string_view untrusted);

}  // namespace cordon
