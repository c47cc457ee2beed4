// Clients of the egress proxy that lie, dawdle or come in crowds.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "net/egress_target.h"
#include "tests/support/egress_world.h"

namespace cordon::net {
namespace {

using std::chrono::milliseconds;
using namespace test;  // NOLINT(google-build-using-namespace): everything here is of it

int StatusOf(std::uint16_t port, std::string_view request) {
  RawClient client(port);
  client.Say(request);
  const RawAnswer answer = client.Answer();
  EXPECT_TRUE(client.IsClosed());
  return answer.status;
}

TEST(EgressHostile, HeadsThatCouldBeReadTwoWaysAreRefused) {
  LoopHost host(LoopHost::Echo);
  const std::string at = "127.0.0.1:" + host.Port();
  const auto proxy = StartProxy("allow:" + at);
  const std::string post = "POST http://" + at + "/ HTTP/1.1\r\nHost: " + at + "\r\n";
  const std::string get = "GET http://" + at + "/ HTTP/1.1\r\nHost: ";
  const std::string inner = "GET / HTTP/1.1\r\nHost: evil\r\n\r\n";
  for (const std::string& request :
       {post + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + inner,
        post + "Content-Length: 3\r\nContent-Length: 4\r\n\r\n" + inner,
        post + "Content-Length: 3\r\nContent-Length: 3\r\n\r\n" + inner,
        post + "Content-Length: 3, 3\r\n\r\n" + inner,
        post + "Content-Length: +3\r\n\r\nabc",
        post + "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
        post + "Transfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        post + "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
        post + "X: a\r\n Transfer-Encoding: chunked\r\n\r\n",
        post + "X: a\r\n\tb\r\n\r\n",
        post + "X: a\nTransfer-Encoding: chunked\r\n\r\n",
        post + "X: a\rb\r\n\r\n",
        post + std::string("X: a\0b\r\n\r\n", 11),
        get + "evil.test\r\n\r\n",
        get + "127.0.0.1\r\n\r\n",
        get + "127.0.0.1:1\r\n\r\n",
        get + at + "\r\nHost: evil.test\r\n\r\n",
        "GET http://evil@" + at + "/ HTTP/1.1\r\nHost: " + at + "\r\n\r\n",
        "GET http://" + at + "/#x HTTP/1.1\r\nHost: " + at + "\r\n\r\n",
        std::string("GET / HTTP/1.1\r\nHost: x\r\n\r\n"),
        "GET https://" + at + "/ HTTP/1.1\r\nHost: " + at + "\r\n\r\n",
        "GET http://" + at + "/ HTTP/1.1\r\n\r\n",
        "CONNECT " + at + " HTTP/1.1\r\nHost: evil.test\r\n\r\n",
        "CONNECT " + at + " HTTP/1.1\r\nHost: 127.0.0.1:1\r\n\r\n",
        "CONNECT " + at + " HTTP/1.1\r\nContent-Length: 5\r\n\r\nabcde",
        std::string("CONNECT 127.0.0.1 HTTP/1.1\r\n\r\n"),
        std::string("CONNECT 127.0.0.1:99999 HTTP/1.1\r\n\r\n"),
        std::string("CONNECT [127.0.0.1]:80 HTTP/1.1\r\n\r\n"),
        std::string("CONNECT http://127.0.0.1:80 HTTP/1.1\r\n\r\n"),
        std::string("hello\r\n\r\n"),
        std::string("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
        std::string("\r\n\r\n"),
        std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03", 10) + "\r\n\r\n"}) {
    EXPECT_EQ(StatusOf(proxy.http, request), 400) << request;
  }
  EXPECT_EQ(host.visits(), 0);
  for (const EgressRequest& told : proxy.record->Wait(33)) EXPECT_FALSE(told.allowed);
}

TEST(EgressHostile, NamesThatPretendAreRefusedByTheRules) {
  LoopHost host(LoopHost::Echo);
  const auto asked = std::make_shared<std::atomic<int>>(0);
  const Names any = [asked](const std::string&) -> EgressWorld::Addresses {
    ++*asked;
    return std::vector{policy::IpAddress::V4(127, 0, 0, 1)};
  };
  const auto proxy =
      StartProxy("allow:*.example.com:" + host.Port() + ",127.0.0.1:" + host.Port(), any);
  for (const std::string& name :
       {std::string("evil.test\0.example.com", 22), std::string("a.example.com\0", 14),
        std::string("\0", 1), std::string(), std::string("evil.test .example.com"),
        std::string("evil.test%00.example.com"), std::string("evilexample.com"),
        std::string("example.com"), std::string("2130706433"), std::string("0x7f.1"),
        std::string("127.1"), std::string("::ffff:127.0.0.1"), std::string("[::1]"),
        std::string("a_b.example.com"), std::string("\xc3\xa4.example.com"),
        std::string(255, 'a')}) {
    RawClient client(proxy.socks);
    client.Say(SocksByName(name, host.port()));
    ASSERT_TRUE(client.IsClosed()) << name;
    ASSERT_EQ(client.received().size(), 12U) << name;
    EXPECT_EQ(client.received()[3], 2) << name;
  }
  for (const char* name : {"2130706433", "0x7f.1", "evil.test%00.example.com", "a_b.example.com"}) {
    const std::string target = std::string(name) + ":" + host.Port();
    EXPECT_EQ(StatusOf(proxy.http, "CONNECT " + target + " HTTP/1.1\r\n\r\n"), 403) << name;
  }
  EXPECT_EQ(asked->load(), 0);
  EXPECT_EQ(host.visits(), 0);
  EXPECT_EQ(proxy.record->Wait(20).size(), 20U);
}

TEST(EgressHostile, LargeHeadsEnd) {
  const auto proxy = StartProxy("allow:");
  const std::string begin = "CONNECT a.test:443 HTTP/1.1\r\n";
  EXPECT_EQ(StatusOf(proxy.http, begin + "X: " + std::string(60'000, 'a') + "\r\n\r\n"), 403);
  EXPECT_EQ(StatusOf(proxy.http, begin + "X: " + std::string(70'000, 'a') + "\r\n\r\n"), 431);
  EXPECT_EQ(StatusOf(proxy.http, begin + "X: " + std::string(300'000, 'a')), 431);
  RawClient endless(proxy.http);
  const std::string line = "X-Y: " + std::string(1000, 'z') + "\r\n";
  ASSERT_TRUE(endless.Say(begin));
  int lines = 0;
  while (lines < 20'000 && endless.Say(line)) ++lines;
  EXPECT_LT(lines, 20'000);
}

TEST(EgressHostile, SlowHeadsEndAndHoldUpNobody) {
  LoopHost host(LoopHost::Echo);
  EgressLimits limits;
  limits.head_time = milliseconds(300);
  const std::string at = "127.0.0.1:" + host.Port();
  const auto proxy = StartProxy("allow:" + at, NoNames(), limits);
  std::vector<RawClient> slow;
  for (int i = 0; i < 40; ++i) {
    slow.emplace_back(i % 2 == 0 ? proxy.http : proxy.socks);
    slow.back().Say(i % 2 == 0 ? "CONNECT " : std::string_view("\x05\x05\x00", 3));
  }
  RawClient brisk(proxy.http);
  EXPECT_EQ(brisk.Ask("CONNECT " + at + " HTTP/1.1\r\n\r\n").status, 200);
  std::this_thread::sleep_for(milliseconds(200));
  for (RawClient& client : slow) client.Say("a");  // which gains no time
  for (RawClient& client : slow) EXPECT_TRUE(client.IsClosed(milliseconds(1000)));
  ASSERT_TRUE(brisk.Say("still here"));
  EXPECT_TRUE(brisk.HearUntil("still here"));
}

TEST(EgressHostile, LookupsThatTakeTooLongEnd) {
  EgressLimits limits;
  limits.connect_time = milliseconds(200);
  limits.lookups = 2;
  const Names slow = [](const std::string&) -> EgressWorld::Addresses {
    std::this_thread::sleep_for(milliseconds(700));
    return std::vector<policy::IpAddress>();
  };
  const auto proxy = StartProxy("allow:*.test", slow, limits);
  std::vector<RawClient> clients;
  for (int i = 0; i < 6; ++i) {
    clients.emplace_back(proxy.http);
    clients.back().Say("CONNECT n" + std::to_string(i) + ".test:443 HTTP/1.1\r\n\r\n");
  }
  for (RawClient& client : clients) EXPECT_EQ(client.Answer().status, 504);
}

TEST(EgressHostile, AClientThatDoesNotReadIsNotReadFor) {
  std::atomic<std::size_t> said{0};
  LoopHost host([&said](int socket) {
    const std::string piece(65'536, 'x');
    while (said < (std::size_t{256} << 20) && LoopHost::SayTo(socket, piece)) said += piece.size();
  });
  const std::string at = "127.0.0.1:" + host.Port();
  const auto proxy = StartProxy("allow:" + at);
  RawClient client(proxy.http);
  ASSERT_TRUE(client.Say("CONNECT " + at + " HTTP/1.1\r\n\r\n"));
  std::size_t before = 1;
  for (int i = 0; i < 50 && before != said; ++i) {
    before = said;
    std::this_thread::sleep_for(milliseconds(200));
  }
  // What the sockets of both sides hold, but not all there is.
  EXPECT_EQ(before, said.load());
  EXPECT_LT(said.load(), std::size_t{64} << 20);
}

TEST(EgressHostile, AThousandAreServedAFewAtATime) {
  rlimit files = {};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &files), 0);
  files.rlim_cur = std::min<rlim_t>(files.rlim_max, 8192);
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &files), 0);
  LoopHost host([](int socket) {
    LoopHost::HearFrom(socket, "\r\n\r\n");
    LoopHost::SayTo(socket, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
  });
  const std::string at = "127.0.0.1:" + host.Port();
  const auto proxy = StartProxy("allow:" + at);
  std::vector<RawClient> clients;
  clients.reserve(1000);
  for (int i = 0; i < 1000; ++i) {
    clients.emplace_back(proxy.http);
    ASSERT_TRUE(clients.back().connected()) << i;
  }
  const std::string get = "GET http://" + at + "/ HTTP/1.1\r\nHost: " + at + "\r\n\r\n";
  for (RawClient& client : clients) ASSERT_TRUE(client.Say(get));
  EXPECT_LE(proxy.proxy->connections(), 256U);
  int served = 0;
  for (RawClient& client : clients) {
    served += client.Answer().body == "ok" ? 1 : 0;  // those that rest make room for others
    EXPECT_LE(proxy.proxy->connections(), 256U);
  }
  EXPECT_EQ(served, 1000);
}

TEST(EgressHostile, TunnelsBeyondTheLimitWaitTheirTurn) {
  LoopHost host(LoopHost::Echo);
  EgressLimits limits;
  limits.connections = 2;
  const std::string at = "127.0.0.1:" + host.Port();
  const auto proxy = StartProxy("allow:" + at, NoNames(), limits);
  const std::string connect = "CONNECT " + at + " HTTP/1.1\r\n\r\n";
  RawClient first(proxy.http);
  RawClient second(proxy.http);
  ASSERT_EQ(first.Ask(connect).status, 200);
  ASSERT_EQ(second.Ask(connect).status, 200);
  RawClient third(proxy.http);
  ASSERT_TRUE(third.Say(connect));
  EXPECT_FALSE(third.Hear(milliseconds(200)));
  first.Close();
  EXPECT_EQ(third.Answer().status, 200);
}

TEST(EgressTarget, AuthoritiesHaveOneReading) {
  EXPECT_EQ(ParseAuthority("a.test:80")->host, "a.test");
  EXPECT_EQ(ParseAuthority("a.test:80")->port, 80);
  EXPECT_EQ(ParseAuthority("[::1]:443")->host, "::1");
  EXPECT_FALSE(ParseAuthority("a.test")->port.has_value());
  for (const char* bad :
       {"", ":80", "a.test:", "a.test:0", "a.test:65536", "a.test:+1", "a.test:1 ", "a.test:1:2",
        "u@a.test:1", "[::1", "[::1]1", "[]:1", "[a.test]:1", "::1", "[::1%lo]:1"}) {
    EXPECT_FALSE(ParseAuthority(bad).has_value()) << bad;
  }
}

}  // namespace
}  // namespace cordon::net
