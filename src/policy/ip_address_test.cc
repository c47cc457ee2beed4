#include "policy/ip_address.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>

#include <cstring>
#include <random>

namespace cordon::policy {
namespace {

AddressClass ClassOfText(const std::string& text) {
  const auto address = text.find(':') == std::string::npos ? ParseIpv4(text) : ParseIpv6(text);
  EXPECT_TRUE(address.has_value()) << text;
  return address ? ClassOf(*address) : AddressClass::kPublic;
}

TEST(IpAddress, OnlyThePlainSpellingOfIpv4IsOne) {
  for (const char* good : {"0.0.0.0", "127.0.0.1", "255.255.255.255", "10.20.30.40"}) {
    const auto address = ParseIpv4(good);
    ASSERT_TRUE(address.has_value()) << good;
    EXPECT_EQ(AddressText(*address), good);
  }
  for (const char* bad :
       {"", "1", "1.2.3", "1.2.3.4.5", "01.2.3.4", "1.2.3.04", "256.1.1.1", "1..2.3", "1.2.3.",
        ".1.2.3", "1.2.3.4 ", " 1.2.3.4", "+1.2.3.4", "-1.2.3.4", "0x7f.0.0.1", "1.2.3.4x"}) {
    EXPECT_FALSE(ParseIpv4(bad).has_value()) << bad;
  }
  EXPECT_FALSE(ParseIpv4(std::string_view("1.2.3.4\0", 8)).has_value());
}

TEST(IpAddress, Ipv6IsReadAsTheSystemReadsIt) {
  std::mt19937_64 random(6);
  const std::string pieces[] = {":",     "::",      "0", "1", "ab", "ffff",
                                "12345", "1.2.3.4", "g", ".", "%"};
  int valid = 0;
  for (int round = 0; round < 200'000; ++round) {
    std::string text;
    const auto count = 1 + random() % 17;
    for (std::size_t i = 0; i < count; ++i) {
      // Mostly something that could be one.
      text += random() % 3 != 0 ? (i % 2 == 0 ? pieces[2 + random() % 4] : pieces[0])
                                : pieces[random() % std::size(pieces)];
    }
    in6_addr wanted = {};
    const bool is_one = ::inet_pton(AF_INET6, text.c_str(), &wanted) == 1;
    const auto address = ParseIpv6(text);
    ASSERT_EQ(address.has_value(), is_one) << text;
    if (!is_one) continue;
    ++valid;
    ASSERT_EQ(std::memcmp(address->bytes.data(), &wanted, 16), 0) << text;
  }
  EXPECT_GT(valid, 500);
}

TEST(IpAddress, TextLeadsBack) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 20'000; ++round) {
    IpAddress address;
    address.version = IpVersion::k6;
    for (std::size_t i = 0; i < 16; ++i) {
      address.bytes[i] = random() % 2 == 0 ? 0 : static_cast<std::uint8_t>(random());
    }
    const auto again = ParseIpv6(AddressText(address));
    ASSERT_TRUE(again.has_value()) << AddressText(address);
    ASSERT_EQ(*again, address);
  }
  EXPECT_EQ(AddressText(*ParseIpv6("0:0:0:0:0:0:0:0")), "::");
  EXPECT_EQ(AddressText(*ParseIpv6("2001:db8:0:0:1:0:0:1")), "2001:db8::1:0:0:1");
  EXPECT_EQ(AddressText(*ParseIpv6("1:0:3:4:5:6:7:0")), "1:0:3:4:5:6:7:0");
}

TEST(IpAddress, RangesCoverWhatSharesTheirPrefix) {
  const IpRange ten{IpAddress::V4(10, 0, 0, 0), 8};
  EXPECT_TRUE(ten.Covers(IpAddress::V4(10, 255, 1, 2)));
  EXPECT_FALSE(ten.Covers(IpAddress::V4(11, 0, 0, 0)));
  EXPECT_FALSE(ten.Covers(*ParseIpv6("a00::")));
  const IpRange odd{IpAddress::V4(192, 168, 1, 128), 25};
  EXPECT_TRUE(odd.Covers(IpAddress::V4(192, 168, 1, 200)));
  EXPECT_FALSE(odd.Covers(IpAddress::V4(192, 168, 1, 127)));
  EXPECT_TRUE(odd.IsTidy());
  EXPECT_FALSE((IpRange{IpAddress::V4(192, 168, 1, 129), 25}.IsTidy()));
  EXPECT_TRUE((IpRange{IpAddress::V4(0, 0, 0, 0), 0}.Covers(IpAddress::V4(8, 8, 8, 8))));
}

TEST(IpAddress, ClassesEndWhereTheirRangesEnd) {
  using Class = AddressClass;
  const std::pair<const char*, Class> cases[] = {{"0.0.0.0", Class::kUnspecified},
                                                 {"0.255.255.255", Class::kUnspecified},
                                                 {"1.0.0.0", Class::kPublic},
                                                 {"9.255.255.255", Class::kPublic},
                                                 {"10.0.0.0", Class::kPrivate},
                                                 {"11.0.0.0", Class::kPublic},
                                                 {"100.63.255.255", Class::kPublic},
                                                 {"100.64.0.0", Class::kCarrier},
                                                 {"100.127.255.255", Class::kCarrier},
                                                 {"100.128.0.0", Class::kPublic},
                                                 {"127.255.255.254", Class::kLoopback},
                                                 {"128.0.0.1", Class::kPublic},
                                                 {"169.254.169.254", Class::kLinkLocal},
                                                 {"172.15.255.255", Class::kPublic},
                                                 {"172.16.0.0", Class::kPrivate},
                                                 {"172.31.255.255", Class::kPrivate},
                                                 {"172.32.0.0", Class::kPublic},
                                                 {"192.0.0.8", Class::kReserved},
                                                 {"192.0.2.7", Class::kDocumentation},
                                                 {"192.88.99.1", Class::kTranslated},
                                                 {"192.168.255.255", Class::kPrivate},
                                                 {"192.169.0.0", Class::kPublic},
                                                 {"198.19.255.255", Class::kReserved},
                                                 {"198.51.100.1", Class::kDocumentation},
                                                 {"203.0.113.9", Class::kDocumentation},
                                                 {"224.0.0.1", Class::kMulticast},
                                                 {"239.255.255.255", Class::kMulticast},
                                                 {"240.0.0.1", Class::kReserved},
                                                 {"255.255.255.255", Class::kMulticast},
                                                 {"::", Class::kUnspecified},
                                                 {"::1", Class::kLoopback},
                                                 {"::2", Class::kTranslated},
                                                 {"::127.0.0.1", Class::kTranslated},
                                                 {"::ffff:8.8.8.8", Class::kTranslated},
                                                 {"::ffff:0:127.0.0.1", Class::kTranslated},
                                                 {"64:ff9b::7f00:1", Class::kTranslated},
                                                 {"64:ff9b:1::1", Class::kTranslated},
                                                 {"2001::1", Class::kTranslated},
                                                 {"2001:20::1", Class::kReserved},
                                                 {"2001:db8::1", Class::kDocumentation},
                                                 {"2002:7f00:1::", Class::kTranslated},
                                                 {"2606:4700::1111", Class::kPublic},
                                                 {"3ffe::1", Class::kPublic},
                                                 {"3fff:fff::1", Class::kDocumentation},
                                                 {"4000::1", Class::kReserved},
                                                 {"100::1", Class::kReserved},
                                                 {"fbff::1", Class::kReserved},
                                                 {"fc00::1", Class::kPrivate},
                                                 {"fdff::1", Class::kPrivate},
                                                 {"fe80::1", Class::kLinkLocal},
                                                 {"febf::1", Class::kLinkLocal},
                                                 {"fec0::1", Class::kPrivate},
                                                 {"ff02::1", Class::kMulticast}};
  for (const auto& [text, wanted] : cases) EXPECT_EQ(ClassOfText(text), wanted) << text;
}

}  // namespace
}  // namespace cordon::policy
