#include <algorithm>

#include "policy/ip_address.h"

namespace cordon::policy {
namespace {

using Class = AddressClass;

struct Range4 {
  std::array<std::uint8_t, 4> first;
  unsigned prefix;
  Class kind;
};
struct Range6 {
  std::array<std::uint16_t, 8> first;
  unsigned prefix;
  Class kind;
};

// The first that covers an address tells.
constexpr Range4 kRanges4[] = {
    {{0, 0, 0, 0}, 8, Class::kUnspecified},
    {{10, 0, 0, 0}, 8, Class::kPrivate},
    {{100, 64, 0, 0}, 10, Class::kCarrier},
    {{127, 0, 0, 0}, 8, Class::kLoopback},
    {{169, 254, 0, 0}, 16, Class::kLinkLocal},
    {{172, 16, 0, 0}, 12, Class::kPrivate},
    {{192, 0, 0, 0}, 24, Class::kReserved},  // of protocols
    {{192, 0, 2, 0}, 24, Class::kDocumentation},
    {{192, 88, 99, 0}, 24, Class::kTranslated},  // relays of 6to4
    {{192, 168, 0, 0}, 16, Class::kPrivate},
    {{198, 18, 0, 0}, 15, Class::kReserved},  // of measurements
    {{198, 51, 100, 0}, 24, Class::kDocumentation},
    {{203, 0, 113, 0}, 24, Class::kDocumentation},
    {{224, 0, 0, 0}, 4, Class::kMulticast},
    {{255, 255, 255, 255}, 32, Class::kMulticast},
    {{240, 0, 0, 0}, 4, Class::kReserved},
};

constexpr Range6 kRanges6[] = {
    {{0, 0, 0, 0, 0, 0, 0, 0}, 128, Class::kUnspecified},
    {{0, 0, 0, 0, 0, 0, 0, 1}, 128, Class::kLoopback},
    {{0, 0, 0, 0, 0, 0, 0, 0}, 96, Class::kTranslated},       // compatible
    {{0, 0, 0, 0, 0, 0xffff, 0, 0}, 96, Class::kTranslated},  // mapped
    {{0, 0, 0, 0, 0xffff, 0, 0, 0}, 96, Class::kTranslated},  // SIIT
    {{0x64, 0xff9b, 0, 0, 0, 0, 0, 0}, 96, Class::kTranslated},
    {{0x64, 0xff9b, 1, 0, 0, 0, 0, 0}, 48, Class::kTranslated},
    {{0x2001, 0, 0, 0, 0, 0, 0, 0}, 32, Class::kTranslated},  // Teredo
    {{0x2001, 0xdb8, 0, 0, 0, 0, 0, 0}, 32, Class::kDocumentation},
    {{0x2001, 0, 0, 0, 0, 0, 0, 0}, 23, Class::kReserved},  // of protocols
    {{0x2002, 0, 0, 0, 0, 0, 0, 0}, 16, Class::kTranslated},
    {{0x3fff, 0, 0, 0, 0, 0, 0, 0}, 20, Class::kDocumentation},
    {{0x2000, 0, 0, 0, 0, 0, 0, 0}, 3, Class::kPublic},
    {{0xfc00, 0, 0, 0, 0, 0, 0, 0}, 7, Class::kPrivate},
    {{0xfe80, 0, 0, 0, 0, 0, 0, 0}, 10, Class::kLinkLocal},
    {{0xfec0, 0, 0, 0, 0, 0, 0, 0}, 10, Class::kPrivate},
    {{0xff00, 0, 0, 0, 0, 0, 0, 0}, 8, Class::kMulticast},
};

IpRange RangeOf(const Range4& range) {
  return {IpAddress::V4(range.first[0], range.first[1], range.first[2], range.first[3]),
          range.prefix};
}

IpRange RangeOf(const Range6& range) {
  IpAddress first;
  first.version = IpVersion::k6;
  for (std::size_t i = 0; i < range.first.size(); ++i) {
    first.bytes[2 * i] = static_cast<std::uint8_t>(range.first[i] >> 8);
    first.bytes[2 * i + 1] = static_cast<std::uint8_t>(range.first[i] & 0xff);
  }
  return {first, range.prefix};
}

}  // namespace

AddressClass ClassOf(const IpAddress& address) {
  if (address.version == IpVersion::k4) {
    for (const Range4& range : kRanges4) {
      if (RangeOf(range).Covers(address)) return range.kind;
    }
    return Class::kPublic;
  }
  for (const Range6& range : kRanges6) {
    if (RangeOf(range).Covers(address)) return range.kind;
  }
  return Class::kReserved;  // hosts of the internet have 2000::/3
}

std::string_view AddressClassName(AddressClass kind) {
  switch (kind) {
    case Class::kPublic: return "a public address";
    case Class::kUnspecified: return "no address of a host";
    case Class::kLoopback: return "a loopback address";
    case Class::kPrivate: return "a private address";
    case Class::kCarrier: return "a carrier's private address";
    case Class::kLinkLocal: return "a link-local address";
    case Class::kMulticast: return "a multicast address";
    case Class::kDocumentation: return "an address for documentation";
    case Class::kTranslated: return "another address in disguise";
    case Class::kReserved: return "a reserved address";
  }
  return "a reserved address";
}

}  // namespace cordon::policy
