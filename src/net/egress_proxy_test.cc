// What passes the egress proxy, and what it tells of it.
#include "net/egress_proxy.h"

#include <gtest/gtest.h>

#include "tests/support/egress_world.h"

namespace cordon::net {
namespace {

using std::chrono::milliseconds;
using namespace test;  // NOLINT(google-build-using-namespace): everything here is of it

std::string ConnectTo(const std::string& target) {
  return "CONNECT " + target + " HTTP/1.1\r\nHost: " + target + "\r\n\r\n";
}

TEST(Egress, ConnectCarriesBytesBothWays) {
  LoopHost host(LoopHost::Echo);
  const auto proxy = StartProxy("allow:127.0.0.1:" + host.Port());
  RawClient client(proxy.http);
  // What is sent along with the head is for the host.
  ASSERT_TRUE(client.Say(ConnectTo("127.0.0.1:" + host.Port()) + "early"));
  ASSERT_TRUE(client.HearUntil("\r\n\r\n"));
  EXPECT_TRUE(client.received().starts_with("HTTP/1.1 200 "));
  ASSERT_TRUE(client.HearUntil("early"));
  ASSERT_TRUE(client.Say("late"));
  ASSERT_TRUE(client.HearUntil("late"));
  client.Close();
  const auto told = proxy.record->Wait(2);
  EXPECT_EQ(told[0].stage, EgressRequest::Stage::kDecided);
  EXPECT_EQ(told[0].protocol, EgressProtocol::kConnect);
  EXPECT_TRUE(told[0].allowed);
  EXPECT_EQ(told[0].host, "127.0.0.1");
  EXPECT_EQ(told[0].port, host.port());
  EXPECT_EQ(told[0].rule, "127.0.0.1:" + host.Port());
  EXPECT_EQ(told[1].stage, EgressRequest::Stage::kEnded);
  EXPECT_EQ(told[1].address, "127.0.0.1");
  EXPECT_EQ(told[1].end, EgressEnd::kServed);
  EXPECT_EQ(told[1].bytes_up, 9U);
  EXPECT_EQ(told[1].bytes_down, 9U);
}

TEST(Egress, RefusalsNameHostAndRule) {
  LoopHost host(LoopHost::Echo);
  const auto proxy = StartProxy("allow:example.com", TheseNames({{"example.com", {"10.0.0.7"}}}));
  RawClient other(proxy.http);
  const RawAnswer answer = other.Ask(ConnectTo("127.0.0.1:" + host.Port()));
  EXPECT_EQ(answer.status, 403);
  EXPECT_NE(answer.body.find("127.0.0.1:" + host.Port()), std::string::npos) << answer.body;
  EXPECT_NE(answer.body.find("(rule: allow)"), std::string::npos) << answer.body;
  RawClient inward(proxy.http);
  const RawAnswer moved = inward.Ask(ConnectTo("example.com:443"));
  EXPECT_EQ(moved.status, 403);
  EXPECT_NE(moved.body.find("example.com:443 (10.0.0.7)"), std::string::npos) << moved.body;
  EXPECT_NE(moved.body.find("a private address"), std::string::npos) << moved.body;
  EXPECT_NE(moved.body.find("(rule: example.com)"), std::string::npos) << moved.body;
  const auto told = proxy.record->Wait(2);
  EXPECT_EQ(told.size(), 2U);
  EXPECT_FALSE(told[0].allowed);
  EXPECT_FALSE(told[1].allowed);
  EXPECT_EQ(told[1].address, "10.0.0.7");
  EXPECT_EQ(host.visits(), 0);
}

TEST(Egress, NoneRefusesEverything) {
  LoopHost host(LoopHost::Echo);
  const auto proxy = StartProxy("none");
  RawClient client(proxy.http);
  EXPECT_EQ(client.Ask(ConnectTo("127.0.0.1:" + host.Port())).status, 403);
  RawClient socks(proxy.socks);
  ASSERT_TRUE(socks.Say(SocksByName("127.0.0.1", host.port())));
  ASSERT_TRUE(socks.HearUntil(std::string_view("\x05\x02", 2)));
  EXPECT_EQ(host.visits(), 0);
}

TEST(Egress, SocksTakesNamesAndAddresses) {
  LoopHost host(LoopHost::Echo);
  const auto proxy = StartProxy("allow:app.test:" + host.Port() + ",localhost:" + host.Port(),
                                TheseNames({{"app.test", {"127.0.0.1"}}}));
  const char high = static_cast<char>(host.port() >> 8);
  const char low = static_cast<char>(host.port() & 0xff);
  const std::string address4 = std::string({5, 1, 0, 5, 1, 0, 1, 127, 0, 0, 1}) + high + low;
  for (const std::string& request :
       {SocksByName("app.test", host.port()), SocksByName("APP.test.", host.port()),
        SocksByName("localhost", host.port()), SocksByName("127.0.0.1", host.port()), address4}) {
    RawClient client(proxy.socks);
    ASSERT_TRUE(client.Say(request + "hello"));
    ASSERT_TRUE(client.HearUntil("hello"));
    EXPECT_EQ(client.received(), std::string({5, 0, 5, 0, 0, 1, 0, 0, 0, 0, 0, 0}) + "hello");
  }
  RawClient six(proxy.socks);
  std::string address6({5, 1, 0, 5, 1, 0, 4});
  address6 += std::string(15, '\0') + '\x01' + high + low;
  ASSERT_TRUE(six.Say(address6));
  // Allowed, but nobody listens at ::1.
  ASSERT_TRUE(six.HearUntil(std::string_view("\x05\x00\x05", 3)));
  while (six.received().size() < 4 && six.Hear()) {
  }
  EXPECT_TRUE(six.received()[3] == 5 || six.received()[3] == 3 || six.received()[3] == 4);
}

TEST(Egress, SocksSaysWhatItDoesNotOffer) {
  LoopHost host(LoopHost::Echo);
  const auto proxy = StartProxy("allow:127.0.0.1:" + host.Port());
  const auto reply = [&](const std::string& request) {
    RawClient client(proxy.socks);
    client.Say(request);
    EXPECT_TRUE(client.IsClosed());
    return client.received();
  };
  const std::string rest({0, 1, 127, 0, 0, 1, 1, 1});
  const auto code = [&](char command) {
    const std::string got = reply(std::string({5, 1, 0, 5, command}) + rest);
    return got.size() == 12 ? static_cast<int>(got[3]) : -1;
  };
  EXPECT_EQ(code(2), 7);  // BIND
  EXPECT_EQ(code(3), 7);  // UDP ASSOCIATE
  EXPECT_EQ(code(1), 2);  // another port than the rule's
  EXPECT_EQ(reply({5, 1, 0, 5, 1, 0, 2})[3], 8);
  EXPECT_EQ(reply({5, 1, 2}), std::string({5, static_cast<char>(0xff)}));  // passwords only
  EXPECT_EQ(reply({4, 1, 0, 80, 127, 0, 0, 1, 0}), "");
  EXPECT_EQ(reply("GET / HTTP/1.1\r\n\r\n"), "");
  EXPECT_EQ(host.visits(), 0);
}

TEST(Egress, NamesAreLookedUpOnceAndAddressesJudged) {
  LoopHost named(LoopHost::Echo);
  const auto asked = std::make_shared<std::atomic<int>>(0);
  // The first answer is not allowed, the next would be: nobody must ask again.
  const Names turning = [asked](const std::string&) -> EgressWorld::Addresses {
    const bool first = asked->fetch_add(1) == 0;
    return std::vector{first ? policy::IpAddress::V4(127, 0, 0, 2)
                             : policy::IpAddress::V4(127, 0, 0, 1)};
  };
  const std::string rules = "allow:app.test:" + named.Port() + ",127.0.0.1:" + named.Port();
  const auto proxy = StartProxy(rules, turning);
  RawClient first(proxy.http);
  EXPECT_EQ(first.Ask(ConnectTo("app.test:" + named.Port())).status, 403);
  EXPECT_EQ(asked->load(), 1);
  EXPECT_EQ(named.visits(), 0);
  RawClient second(proxy.http);
  EXPECT_EQ(second.Ask(ConnectTo("app.test:" + named.Port())).status, 200);
  ASSERT_TRUE(second.Say("hello") && second.HearUntil("hello"));
  EXPECT_EQ(asked->load(), 2);
  EXPECT_EQ(named.visits(), 1);
}

TEST(Egress, OnlyTheAllowedAddressesOfANameAreTried) {
  LoopHost allowed(LoopHost::Echo);
  LoopHost forbidden(LoopHost::Echo, "127.0.0.2", allowed.port());
  const auto proxy =
      StartProxy("allow:app.test:" + allowed.Port() + ",127.0.0.1:" + allowed.Port() +
                     ",127.0.0.3:" + allowed.Port(),
                 TheseNames({{"app.test", {"127.0.0.2", "127.0.0.3", "127.0.0.1"}}}));
  RawClient client(proxy.http);
  EXPECT_EQ(client.Ask(ConnectTo("app.test:" + allowed.Port())).status, 200);
  ASSERT_TRUE(client.Say("hello") && client.HearUntil("hello"));
  EXPECT_EQ(forbidden.visits(), 0);
  EXPECT_EQ(allowed.visits(), 1);  // after 127.0.0.3, where nobody listens
  client.Close();
  EXPECT_EQ(proxy.record->Wait(2)[1].address, "127.0.0.1");
}

TEST(Egress, FailuresHaveTheirStatus) {
  std::uint16_t closed = 0;
  { closed = ListenLoopback().port; }
  const std::string port = std::to_string(closed);
  const auto proxy = StartProxy("allow:127.0.0.1:" + port + ",gone.test");
  RawClient refused(proxy.http);
  EXPECT_EQ(refused.Ask(ConnectTo("127.0.0.1:" + port)).status, 502);
  RawClient unknown(proxy.http);
  EXPECT_EQ(unknown.Ask(ConnectTo("gone.test:443")).status, 502);
  RawClient socks(proxy.socks);
  socks.Say(SocksByName("127.0.0.1", closed));
  EXPECT_TRUE(socks.IsClosed());
  EXPECT_EQ(socks.received()[3], 5);
  RawClient nowhere(proxy.socks);
  nowhere.Say(SocksByName("gone.test", 443));
  EXPECT_TRUE(nowhere.IsClosed());
  EXPECT_EQ(nowhere.received()[3], 4);
  const auto told = proxy.record->Wait(8);
  EXPECT_EQ(told[1].end, EgressEnd::kUnreachable);
  EXPECT_EQ(told[3].end, EgressEnd::kNotFound);
}

TEST(Egress, WhatCannotBeRecordedOrToldApartDoesNotHappen) {
  LoopHost host(LoopHost::Echo);
  for (const bool own_known : {true, false}) {
    Listener http = ListenLoopback();
    EgressProxy::Parts parts;
    parts.http_listener = std::move(http.socket);
    parts.rules = policy::NetworkRules::Parse("allow:127.0.0.1:" + host.Port()).value();
    parts.observer = [own_known](const EgressRequest&) {
      if (own_known) throw std::runtime_error("the disk is full");
    };
    parts.world.own_addresses = [own_known]() -> EgressWorld::Addresses {
      if (own_known) return std::vector<policy::IpAddress>();
      return Error();
    };
    const auto proxy = EgressProxy::Start(std::move(parts));
    ASSERT_TRUE(proxy.has_value());
    RawClient client(http.port);
    EXPECT_EQ(client.Ask(ConnectTo("127.0.0.1:" + host.Port())).status, 403);
  }
  EXPECT_EQ(host.visits(), 0);
}

TEST(Egress, StartsOnlyWithASocket) {
  EgressProxy::Parts none;
  EXPECT_EQ(EgressProxy::Start(std::move(none)).error().code, ErrorCode::kInvalidArguments);
  EgressProxy::Parts pipe;
  int ends[2] = {-1, -1};
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
  const platform::UniqueFd other(ends[1]);
  pipe.http_listener.reset(ends[0]);
  EXPECT_EQ(EgressProxy::Start(std::move(pipe)).error().code, ErrorCode::kInvalidArguments);
}

TEST(Egress, OneSideMayEndBeforeTheOther) {
  // Counts until the client has no more to say, and answers only then.
  LoopHost host([](int socket) {
    std::size_t total = 0;
    char piece[4096];
    for (ssize_t got = 1; got > 0; total += static_cast<std::size_t>(got)) {
      got = ::recv(socket, piece, sizeof piece, 0);
      if (got < 0) return;
    }
    LoopHost::SayTo(socket, "heard " + std::to_string(total));
  });
  const auto proxy = StartProxy("allow:127.0.0.1:" + host.Port());
  RawClient client(proxy.http);
  ASSERT_EQ(client.Ask(ConnectTo("127.0.0.1:" + host.Port())).status, 200);
  const std::string much(3'000'000, 'x');
  ASSERT_TRUE(client.Say(much));
  client.EndSending();
  EXPECT_TRUE(client.HearUntil("heard 3000000"));
  EXPECT_TRUE(client.IsClosed());
}

TEST(Egress, TunnelsWithoutAByteEnd) {
  LoopHost host(LoopHost::Echo);
  EgressLimits limits;
  limits.idle_time = milliseconds(150);
  const auto proxy = StartProxy("allow:127.0.0.1:" + host.Port(), NoNames(), limits);
  RawClient client(proxy.http);
  ASSERT_EQ(client.Ask(ConnectTo("127.0.0.1:" + host.Port())).status, 200);
  for (int i = 0; i < 4; ++i) {  // together longer than that
    std::this_thread::sleep_for(milliseconds(70));
    ASSERT_TRUE(client.Say("x"));
    ASSERT_TRUE(client.Hear());
  }
  EXPECT_TRUE(client.IsClosed(milliseconds(2000)));
}

TEST(Egress, EndsAtOnceWithOpenTunnelsAndLookups) {
  LoopHost host(LoopHost::Echo);
  const auto slow = [](const std::string&) -> EgressWorld::Addresses {
    std::this_thread::sleep_for(milliseconds(1500));
    return std::vector<policy::IpAddress>();
  };
  auto proxy = StartProxy("allow:slow.test,127.0.0.1:" + host.Port(), slow);
  std::vector<RawClient> clients;
  for (int i = 0; i < 20; ++i) {
    clients.emplace_back(proxy.http);
    ASSERT_EQ(clients.back().Ask(ConnectTo("127.0.0.1:" + host.Port())).status, 200);
  }
  for (int i = 0; i < 20; ++i) {
    clients.emplace_back(proxy.http);
    ASSERT_TRUE(clients.back().Say(ConnectTo("slow.test:443")));
  }
  RawClient silent(proxy.socks);
  std::this_thread::sleep_for(milliseconds(100));
  EXPECT_EQ(proxy.proxy->connections(), 41U);
  const auto begin = std::chrono::steady_clock::now();
  proxy.proxy.reset();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, milliseconds(1000));
  for (RawClient& client : clients) EXPECT_TRUE(client.IsClosed(milliseconds(1000)));
  EXPECT_EQ(proxy.record->Wait(40).size(), 40U);    // each tunnel has ended, no lookup was decided
  std::this_thread::sleep_for(milliseconds(1600));  // the lookups find nobody to tell
}

}  // namespace
}  // namespace cordon::net
