#include "policy/network_rules.h"

#include <gtest/gtest.h>

#include <random>

namespace cordon::policy {
namespace {

using Refusal = NetworkRefusal;

NetworkRules Rules(std::string_view text) {
  auto rules = NetworkRules::Parse(text);
  EXPECT_TRUE(rules.has_value()) << text;
  return rules ? *rules : NetworkRules();
}

Refusal Why(const NetworkRules& rules, std::string_view host, std::uint16_t port = 443) {
  return rules.Judge(host, port).verdict.refusal;
}

IpAddress At(std::string_view text) {
  const auto four = ParseIpv4(text);
  return four ? *four : ParseIpv6(text).value();
}

Refusal WhyAt(const NetworkRules& rules, std::string_view host, std::string_view address,
              std::uint16_t port = 443, const std::vector<IpAddress>& own = {}) {
  return rules.JudgeAddress(rules.Judge(host, port), At(address), own).refusal;
}

TEST(NetworkRules, NoneAllowsNothingAndIsTheDefault) {
  EXPECT_EQ(Why(NetworkRules(), "example.com"), Refusal::kOff);
  EXPECT_EQ(Why(Rules("none"), "127.0.0.1"), Refusal::kOff);
  EXPECT_EQ(WhyAt(Rules("none"), "example.com", "8.8.8.8"), Refusal::kOff);
  EXPECT_EQ(Rules("none").mode(), NetworkMode::kNone);
}

TEST(NetworkRules, FullAllowsWhateverIsAHost) {
  const NetworkRules full = Rules("full");
  EXPECT_EQ(Why(full, "example.com", 22), Refusal::kNone);
  EXPECT_EQ(WhyAt(full, "example.com", "10.0.0.1", 22), Refusal::kNone);
  EXPECT_EQ(Why(full, "::1", 22), Refusal::kNone);
  EXPECT_EQ(full.Judge("example.com", 22).verdict.rule, "full");
  EXPECT_EQ(Why(full, "2130706433", 22), Refusal::kMalformed);
  EXPECT_EQ(Why(full, "example.com", 0), Refusal::kMalformed);
}

TEST(NetworkRules, AnEmptyListAllowsNothing) {
  for (const char* text : {"allow:", "allow: ", " allow:"}) {
    EXPECT_EQ(Rules(text).mode(), NetworkMode::kAllowList);
    EXPECT_EQ(Why(Rules(text), "example.com"), Refusal::kNotListed);
  }
}

TEST(NetworkRules, NamesAreComparedAsNames) {
  const NetworkRules rules = Rules("allow:Example.com, b.org:8443,*.wide.net,*.own.net:9000");
  for (const char* host : {"example.com", "EXAMPLE.Com", "example.com."}) {
    EXPECT_EQ(Why(rules, host, 443), Refusal::kNone) << host;
    EXPECT_EQ(Why(rules, host, 80), Refusal::kNone) << host;
    EXPECT_EQ(Why(rules, host, 8080), Refusal::kPort) << host;
    EXPECT_EQ(rules.Judge(host, 80).name, "example.com");
    EXPECT_EQ(rules.Judge(host, 80).verdict.rule, "example.com");
  }
  for (const char* host : {"a.example.com", "evilexample.com", "example.com.evil.org", "example.co",
                           "com", "xample.com", "wide.net", "evilwide.net", "own.net"}) {
    EXPECT_EQ(Why(rules, host), Refusal::kNotListed) << host;
  }
  EXPECT_EQ(Why(rules, "a.wide.net"), Refusal::kNone);
  EXPECT_EQ(Why(rules, "A.b.WIDE.net."), Refusal::kNone);
  EXPECT_EQ(Why(rules, "x.own.net", 9000), Refusal::kNone);
  EXPECT_EQ(Why(rules, "x.own.net", 443), Refusal::kPort);
  EXPECT_EQ(Why(rules, "b.org", 443), Refusal::kPort);
  EXPECT_EQ(rules.Judge("b.org", 8443).verdict.rule, "b.org:8443");
  EXPECT_EQ(rules.Judge("x.own.net", 9000).verdict.rule, "*.own.net:9000");
}

TEST(NetworkRules, WhatIsNoNameIsRefusedEvenIfItEndsRight) {
  const NetworkRules rules = Rules("allow:*.example.com,example.com");
  const std::string long_label(64, 'a');
  std::string long_name;
  for (int i = 0; i < 63; ++i) long_name += "abc.";
  for (const std::string& host : {std::string("a b.example.com"),
                                  std::string("evil.org\0.example.com", 21),
                                  std::string("evil.org\n.example.com"),
                                  std::string("evil.org%00.example.com"),
                                  std::string("evil.org#.example.com"),
                                  std::string("evil.org/.example.com"),
                                  std::string("evil.org\\.example.com"),
                                  std::string("evil.org@a.example.com"),
                                  std::string("_dmarc.example.com"),
                                  std::string("b\xc3\xbc.example.com"),
                                  std::string("\xef\xbc\xa1.example.com"),
                                  std::string("a..example.com"),
                                  std::string(".example.com"),
                                  std::string("example.com.."),
                                  std::string("-a.example.com"),
                                  std::string("a-.example.com"),
                                  long_label + ".example.com",
                                  long_name + "example.com",
                                  std::string("*.example.com"),
                                  std::string("[example.com]"),
                                  std::string(""),
                                  std::string("."),
                                  std::string("example.com\t"),
                                  std::string("example.com:443")}) {
    EXPECT_EQ(Why(rules, host), Refusal::kMalformed) << host;
  }
  EXPECT_EQ(Why(rules, "xn--bcher-kva.example.com"), Refusal::kNone);
}

TEST(NetworkRules, OtherSpellingsOfAddressesAreNotAddresses) {
  const NetworkRules rules = Rules("allow:127.0.0.1,[::1]:8080,10.0.0.0/8,*.example.com");
  EXPECT_EQ(Why(rules, "127.0.0.1"), Refusal::kNone);
  EXPECT_EQ(Why(rules, "127.0.0.1."), Refusal::kNone);
  for (const char* host :
       {"0x7f.1", "2130706433", "017700000001", "127.1", "0177.0.0.1", "127.0.0.01", "0x7f000001",
        "127.0.0.0x1", "1.2.3.4.5", "0X7F.0.0.1", "127.0.0.1..", "256.0.0.1", "0x", "example.1",
        "::ffff:127.0.0.1%lo", "::1%1", "[::1]", "1:2"}) {
    EXPECT_EQ(Why(rules, host, 8080), Refusal::kMalformed) << host;
  }
  EXPECT_EQ(Why(rules, "::1", 8080), Refusal::kNone);
  EXPECT_EQ(Why(rules, "0:0:0:0:0:0:0:1", 8080), Refusal::kNone);
  EXPECT_EQ(Why(rules, "::ffff:127.0.0.1", 443), Refusal::kNotListed);
  EXPECT_EQ(Why(rules, "::ffff:10.0.0.1", 443), Refusal::kNotListed);
  EXPECT_EQ(Why(rules, "8.8.8.8"), Refusal::kNotListed);
  EXPECT_EQ(Why(rules, "10.9.8.7"), Refusal::kNone);
  EXPECT_EQ(rules.Judge("10.9.8.7", 80).verdict.rule, "10.0.0.0/8");
}

TEST(NetworkRules, AddressesOfNamesAreJudged) {
  const NetworkRules rules = Rules("allow:example.com,10.1.0.0/16,[fd00::]/8:443");
  EXPECT_EQ(WhyAt(rules, "example.com", "93.184.216.34"), Refusal::kNone);
  EXPECT_EQ(WhyAt(rules, "example.com", "2606:4700::1"), Refusal::kNone);
  for (const char* address :
       {"127.0.0.1", "10.2.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0",
        "224.0.0.1", "255.255.255.255", "192.0.2.1", "::1", "::", "fe80::1", "ff02::1",
        "::ffff:93.184.216.34", "::93.184.216.34", "64:ff9b::1", "2002::1", "2001:db8::1"}) {
    EXPECT_EQ(WhyAt(rules, "example.com", address), Refusal::kAddress) << address;
  }
  EXPECT_EQ(WhyAt(rules, "example.com", "10.1.2.3"), Refusal::kNone);
  EXPECT_EQ(WhyAt(rules, "example.com", "fd12::1", 443), Refusal::kNone);
  EXPECT_EQ(WhyAt(rules, "example.com", "fd12::1", 80), Refusal::kAddress);
  EXPECT_EQ(WhyAt(rules, "other.com", "93.184.216.34"), Refusal::kNotListed);
}

TEST(NetworkRules, OwnAddressesMustBeNamed) {
  const std::vector<IpAddress> own = {At("93.184.216.34"), At("2606:4700::1")};
  EXPECT_EQ(WhyAt(Rules("allow:example.com"), "example.com", "93.184.216.34", 443, own),
            Refusal::kAddress);
  EXPECT_EQ(WhyAt(Rules("allow:example.com"), "example.com", "2606:4700::1", 443, own),
            Refusal::kAddress);
  EXPECT_EQ(WhyAt(Rules("allow:example.com"), "example.com", "93.184.216.35", 443, own),
            Refusal::kNone);
  EXPECT_EQ(
      WhyAt(Rules("allow:example.com,93.184.216.34"), "example.com", "93.184.216.34", 443, own),
      Refusal::kNone);
}

TEST(NetworkRules, LocalhostIsTwoAddressesAndNoMore) {
  const NetworkRules rules = Rules("allow:localhost:3000,example.com:3000");
  EXPECT_EQ(rules.Judge("LocalHost.", 3000).KnownAddresses(),
            (std::vector<IpAddress>{At("127.0.0.1"), At("::1")}));
  EXPECT_TRUE(rules.Judge("example.com", 3000).KnownAddresses().empty());
  EXPECT_EQ(WhyAt(rules, "localhost", "127.0.0.1", 3000), Refusal::kNone);
  EXPECT_EQ(WhyAt(rules, "localhost", "::1", 3000), Refusal::kNone);
  EXPECT_EQ(WhyAt(rules, "localhost", "127.0.0.2", 3000), Refusal::kAddress);
  EXPECT_EQ(Why(rules, "127.0.0.1", 3000), Refusal::kNone);
  EXPECT_EQ(Why(rules, "127.0.0.1", 80), Refusal::kPort);
  EXPECT_EQ(Why(rules, "127.0.0.2", 3000), Refusal::kNotListed);
  EXPECT_EQ(Why(rules, "a.localhost", 3000), Refusal::kNotListed);
  EXPECT_EQ(WhyAt(Rules("allow:*.localhost"), "a.localhost", "127.0.0.1"), Refusal::kAddress);
  EXPECT_EQ(WhyAt(Rules("allow:*.localhost"), "a.localhost", "10.0.0.1"), Refusal::kAddress);
}

TEST(NetworkRules, ListsThatAreNotUnderstoodAreErrors) {
  for (const char* text : {"",
                           "nothing",
                           "None",
                           "allow",
                           "allow:,",
                           "allow:a.com,",
                           "allow:a.com,,b.com",
                           "allow:*",
                           "allow:*.",
                           "allow:a.*.com",
                           "allow:**.com",
                           "allow:*a.com",
                           "allow:a.com:",
                           "allow:a.com:0",
                           "allow:a.com:65536",
                           "allow:a.com:+1",
                           "allow:a.com:080",
                           "allow:a.com:80:80",
                           "allow:::1",
                           "allow:[::1",
                           "allow:[::1]x",
                           "allow:[a.com]",
                           "allow:[127.0.0.1]",
                           "allow:10.0.0.1/8",
                           "allow:10.0.0.0/33",
                           "allow:10.0.0.0/",
                           "allow:[fd00::]/129",
                           "allow:a.com/8",
                           "allow:0x7f.1",
                           "allow:2130706433",
                           "allow:127.1",
                           "allow:*.1.2.3.4",
                           "allow:b\xc3\xbc.de",
                           "allow:a_b.com",
                           "allow:a b.com",
                           "allow:http://a.com",
                           "allow:a.com/path",
                           "full,none",
                           "allow:user@a.com"}) {
    const auto rules = NetworkRules::Parse(text);
    ASSERT_FALSE(rules.has_value()) << text;
    EXPECT_EQ(rules.error().code, ErrorCode::kInvalidArguments) << text;
    EXPECT_FALSE(rules.error().detail.empty()) << text;
  }
  EXPECT_FALSE(NetworkRules::Parse("allow:" + std::string(70'000, 'a')).has_value());
}

// Against a comparison that is slow and obvious: label by label.
TEST(NetworkRules, WildcardsCoverWholeLabels) {
  std::mt19937_64 random(11);
  const std::string labels[] = {"a", "b", "ab", "com", "a-b", "A"};
  const auto make = [&](std::size_t most) {
    std::vector<std::string> made(1 + random() % most);
    for (std::string& label : made) label = labels[random() % std::size(labels)];
    return made;
  };
  const auto join = [](const std::vector<std::string>& parts) {
    std::string text;
    for (const std::string& part : parts) text += (text.empty() ? "" : ".") + part;
    return text;
  };
  const auto same = [](const std::string& a, const std::string& b) {
    return a == b || (a == "A" && b == "a") || (a == "a" && b == "A");
  };
  int covered = 0;
  for (int round = 0; round < 20'000; ++round) {
    const auto rule = make(3);
    const auto host = make(5);
    const bool wild = random() % 2 == 0;
    bool wanted = wild ? host.size() > rule.size() : host.size() == rule.size();
    for (std::size_t i = 1; wanted && i <= rule.size(); ++i) {
      wanted = same(rule[rule.size() - i], host[host.size() - i]);
    }
    const std::string list = "allow:" + std::string(wild ? "*." : "") + join(rule);
    ASSERT_EQ(Why(Rules(list), join(host)) == Refusal::kNone, wanted) << list << " " << join(host);
    covered += wanted ? 1 : 0;
  }
  EXPECT_GT(covered, 200);
}

// No bytes lead past the list: what is allowed is a plain name that the list names.
TEST(NetworkRules, NoSpellingOfAnotherHostIsAllowed) {
  std::mt19937_64 random(12);
  const NetworkRules rules = Rules("allow:*.example.com,127.0.0.1");
  const std::string alphabet("ae.:0x1%_-[]/@\\ \0\n*7f", 22);
  int allowed = 0;
  for (int round = 0; round < 100'000; ++round) {
    std::string host;
    for (auto left = random() % 6; left > 0; --left) host += alphabet[random() % alphabet.size()];
    if (random() % 2 == 0) host += random() % 2 == 0 ? ".example.com" : "127.0.0.1";
    const NetworkTarget target = rules.Judge(host, 443);
    if (!target.verdict.allowed()) continue;
    ++allowed;
    if (target.address) {
      ASSERT_TRUE(host == "127.0.0.1" || host == "127.0.0.1.") << host;
      continue;
    }
    ASSERT_EQ(host.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-."), std::string::npos);
    ASSERT_TRUE(target.name.ends_with(".example.com")) << host;
  }
  EXPECT_GT(allowed, 100);
}

}  // namespace
}  // namespace cordon::policy
