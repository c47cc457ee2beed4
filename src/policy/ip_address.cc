#include "policy/ip_address.h"

#include <algorithm>
#include <charconv>

namespace cordon::policy {
namespace {

constexpr std::size_t kGroups = 8;
using Groups = std::array<std::uint16_t, kGroups>;

// Groups between colons from the front of `text`, at most `room`; a dotted tail counts as
// two. Nothing if any of it is not one.
struct Part {
  Groups groups = {};
  std::size_t count = 0;
};

std::optional<std::uint16_t> ParseGroup(std::string_view text) {
  if (text.empty() || text.size() > 4) return std::nullopt;
  std::uint16_t value = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  if (failed != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

enum class DottedTail { kAllowed, kNone };

std::optional<Part> ParsePart(std::string_view text, DottedTail tail) {
  Part part;
  if (text.empty()) return part;
  for (;;) {
    const std::size_t colon = text.find(':');
    const std::string_view piece = text.substr(0, colon);
    const bool last = colon == std::string_view::npos;
    if (last && tail == DottedTail::kAllowed && piece.find('.') != std::string_view::npos) {
      const auto dotted = ParseIpv4(piece);
      if (!dotted || part.count + 2 > kGroups) return std::nullopt;
      for (const std::size_t i : {0U, 2U}) {
        part.groups[part.count++] =
            static_cast<std::uint16_t>(dotted->bytes[i] << 8 | dotted->bytes[i + 1]);
      }
      return part;
    }
    const auto group = ParseGroup(piece);
    if (!group || part.count == kGroups) return std::nullopt;
    part.groups[part.count++] = *group;
    if (last) return part;
    text.remove_prefix(colon + 1);
  }
}

IpAddress FromGroups(const Groups& groups) {
  IpAddress address;
  address.version = IpVersion::k6;
  for (std::size_t i = 0; i < kGroups; ++i) {
    address.bytes[2 * i] = static_cast<std::uint8_t>(groups[i] >> 8);
    address.bytes[2 * i + 1] = static_cast<std::uint8_t>(groups[i] & 0xff);
  }
  return address;
}

std::string Text6(const IpAddress& address) {
  Groups groups = {};
  for (std::size_t i = 0; i < kGroups; ++i) {
    groups[i] = static_cast<std::uint16_t>(address.bytes[2 * i] << 8 | address.bytes[2 * i + 1]);
  }
  std::size_t begin = kGroups;  // of the longest run of zeros, the first of equals
  std::size_t length = 1;       // one alone is written out
  for (std::size_t i = 0; i < kGroups; ++i) {
    std::size_t end = i;
    while (end < kGroups && groups[end] == 0) ++end;
    if (end - i > length) {
      begin = i;
      length = end - i;
    }
  }
  std::string text;
  for (std::size_t i = 0; i < kGroups; ++i) {
    if (i == begin) {
      text += "::";
      i += length - 1;
      continue;
    }
    if (!text.empty() && text.back() != ':') text += ':';
    std::array<char, 4> digits = {};
    text.append(digits.data(),
                std::to_chars(digits.data(), digits.data() + digits.size(), groups[i], 16).ptr);
  }
  return text;
}

}  // namespace

IpAddress IpAddress::V6(std::span<const std::uint8_t, 16> bytes) {
  IpAddress address;
  address.version = IpVersion::k6;
  std::copy(bytes.begin(), bytes.end(), address.bytes.begin());
  return address;
}

std::optional<IpAddress> ParseIpv4(std::string_view text) {
  IpAddress address;
  for (std::size_t i = 0; i < 4; ++i) {
    const std::size_t dot = i < 3 ? text.find('.') : text.size();
    if (dot == std::string_view::npos) return std::nullopt;
    const std::string_view number = text.substr(0, dot);
    if (number.empty() || number.size() > 3 || (number.size() > 1 && number[0] == '0')) {
      return std::nullopt;
    }
    const auto [end, failed] =
        std::from_chars(number.data(), number.data() + number.size(), address.bytes[i]);
    if (failed != std::errc() || end != number.data() + number.size()) return std::nullopt;
    text.remove_prefix(std::min(dot + 1, text.size()));
  }
  return address;
}

std::optional<IpAddress> ParseIpv6(std::string_view text) {
  const std::size_t gap = text.find("::");
  if (gap == std::string_view::npos) {
    const auto whole = ParsePart(text, DottedTail::kAllowed);
    if (!whole || whole->count != kGroups) return std::nullopt;
    return FromGroups(whole->groups);
  }
  const auto front = ParsePart(text.substr(0, gap), DottedTail::kNone);
  const auto back = ParsePart(text.substr(gap + 2), DottedTail::kAllowed);
  if (!front || !back || front->count + back->count >= kGroups) return std::nullopt;
  Groups groups = front->groups;
  std::copy_n(back->groups.begin(), back->count, groups.end() - static_cast<int>(back->count));
  return FromGroups(groups);
}

std::string AddressText(const IpAddress& address) {
  if (address.version == IpVersion::k6) return Text6(address);
  std::string text;
  for (std::size_t i = 0; i < 4; ++i) {
    if (i > 0) text += '.';
    text += std::to_string(address.bytes[i]);
  }
  return text;
}

bool IpRange::Covers(const IpAddress& address) const {
  if (address.version != first.version || prefix > first.bits()) return false;
  for (unsigned i = 0; i < prefix; ++i) {
    const auto bit = static_cast<std::uint8_t>(0x80U >> (i % 8));
    if ((address.bytes[i / 8] & bit) != (first.bytes[i / 8] & bit)) return false;
  }
  return true;
}

bool IpRange::IsTidy() const {
  if (prefix > first.bits()) return false;
  for (unsigned i = prefix; i < first.bits(); ++i) {
    if ((first.bytes[i / 8] & (0x80U >> (i % 8))) != 0) return false;
  }
  return true;
}

}  // namespace cordon::policy
