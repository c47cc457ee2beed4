// Addresses of hosts, and ranges of them, as values.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace cordon::policy {

enum class IpVersion { k4, k6 };

struct IpAddress {
  IpVersion version = IpVersion::k4;
  std::array<std::uint8_t, 16> bytes = {};  // in the order of the network; of version 4 the first 4

  static IpAddress V4(std::uint8_t a, std::uint8_t b, std::uint8_t c, std::uint8_t d) {
    return {IpVersion::k4, {a, b, c, d}};
  }
  static IpAddress V6(std::span<const std::uint8_t, 16> bytes);
  unsigned bits() const { return version == IpVersion::k4 ? 32 : 128; }
  bool operator==(const IpAddress&) const = default;
};

// One spelling each: four decimal numbers without leading zeros; or, without brackets and
// without a zone, what RFC 4291 calls the text form. Nothing else is an address.
std::optional<IpAddress> ParseIpv4(std::string_view text);
std::optional<IpAddress> ParseIpv6(std::string_view text);
// "192.0.2.1"; "2001:db8::1" as RFC 5952 writes it, but never with a dotted tail.
std::string AddressText(const IpAddress& address);

// All addresses whose first `prefix` bits are those of `first`.
struct IpRange {
  IpAddress first;
  unsigned prefix = 0;

  bool Covers(const IpAddress& address) const;
  // Whether `first` has no bit beyond the prefix, as it must be written.
  bool IsTidy() const;
};

// What an address is for (the registries of RFC 6890 and what came after it).
enum class AddressClass {
  kPublic,
  kUnspecified,  // 0.0.0.0/8, ::; connects to this machine
  kLoopback,
  kPrivate,    // 10/8, 172.16/12, 192.168/16, fc00::/7, fec0::/10
  kCarrier,    // 100.64/10
  kLinkLocal,  // 169.254/16 with the metadata services of clouds, fe80::/10
  kMulticast,  // and broadcast
  kDocumentation,
  kTranslated,  // version 6 that carries a version 4 address: mapped, NAT64, 6to4, Teredo
  kReserved,    // everything else that is not given to hosts of the internet
};
AddressClass ClassOf(const IpAddress& address);
std::string_view AddressClassName(AddressClass kind);  // "a private address" and so on

}  // namespace cordon::policy
