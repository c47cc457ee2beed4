// Clients that are slow, wrong or many.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <atomic>
#include <thread>
#include <vector>

#include "net/http_server.h"
#include "tests/support/raw_client.h"

namespace cordon::net {
namespace {

using std::chrono::milliseconds;
using test::RawAnswer;
using test::RawClient;

constexpr std::string_view kGet = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

void Length(const HttpRequest& request, const std::shared_ptr<HttpReply>& reply) {
  reply->Send({200, {}, std::to_string(request.body.size())});
}

HttpLimits Small() {
  HttpLimits limits;
  limits.head = 2000;
  limits.body = 200'000;
  limits.bodies = 300'000;
  limits.head_time = milliseconds(150);
  limits.stall_time = milliseconds(150);
  return limits;
}

std::unique_ptr<HttpServer> Serve(const HttpLimits& limits) {
  auto server = HttpServer::Start({"127.0.0.1", 0}, limits, Length);
  EXPECT_TRUE(server.has_value());
  return server ? std::move(*server) : nullptr;
}

int StatusOf(const HttpServer& server, std::string_view request) {
  RawClient client(server.port());
  const RawAnswer answer = client.Ask(request);
  EXPECT_EQ(answer.Field("Connection"), "close") << request.substr(0, 60);
  EXPECT_TRUE(client.IsClosed()) << request.substr(0, 60);
  return answer.status;
}

TEST(HttpHostile, MalformedRequestsAreAnsweredAndCutOff) {
  const auto server = Serve(Small());
  const std::string host = "\r\nHost: x\r\n";
  for (const std::string& request :
       {std::string("hello\r\n\r\n"),
        std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03", 10) + "\r\n\r\n",
        "GET / HTTP/1.1" + host + "X Y: z\r\n\r\n", "GET / HTTP/1.1" + host + "X : z\r\n\r\n",
        "GET / HTTP/3.7" + host + "\r\n", "GET  / HTTP/1.1" + host + "\r\n",
        "GET / HTTP/1.1" + host +
            "X: a\x01"
            "b\r\n\r\n",
        std::string("GET / HTTP/1.1\r\n\r\n"), "GET / HTTP/1.1" + host + "Host: y\r\n\r\n",
        "GET http://x/ HTTP/1.1" + host + "\r\n", "OPTIONS * HTTP/1.1" + host + "\r\n",
        "POST / HTTP/1.1" + host + "Content-Length: -1\r\n\r\n",
        "POST / HTTP/1.1" + host + "Content-Length: 99999999999999999999\r\n\r\n",
        "POST / HTTP/1.1" + host + "Transfer-Encoding: chunked\r\n\r\nzz\r\n",
        "POST / HTTP/1.1" + host + "Transfer-Encoding: chunked\r\n\r\n5\r\nhelloo\r\n0\r\n\r\n",
        "POST / HTTP/1.1" + host + "Transfer-Encoding: gzip\r\n\r\n"}) {
    EXPECT_EQ(StatusOf(*server, request), 400) << request;
  }
}

TEST(HttpHostile, SmuggledRequestsAreNotReadAsRequests) {
  const auto server = Serve(Small());
  const std::string inner = "GET /inner HTTP/1.1\r\nHost: x\r\n\r\n";
  const std::string size = std::to_string(inner.size());
  for (const std::string& lengths :
       {"Content-Length: 0\r\nContent-Length: " + size,
        "Content-Length: " + size + "\r\nContent-Length: " + size, "Content-Length: 0, " + size,
        "Content-Length: " + size + "\r\nTransfer-Encoding: chunked",
        std::string("Transfer-Encoding: chunked\r\nContent-Length: 3"),
        std::string("Transfer-Encoding: chunked\r\nTransfer-Encoding: identity"),
        std::string("Transfer-Encoding: identity")}) {
    RawClient client(server->port());
    const RawAnswer answer =
        client.Ask("POST / HTTP/1.1\r\nHost: x\r\n" + lengths + "\r\n\r\n" + inner);
    EXPECT_EQ(answer.status, 400) << lengths;
    EXPECT_TRUE(client.IsClosed());
    EXPECT_EQ(client.received(), "") << lengths;
  }
}

TEST(HttpHostile, WhatIsTooLargeIsRefused) {
  const auto server = Serve(Small());
  EXPECT_EQ(StatusOf(*server, "GET / HTTP/1.1\r\nHost: x\r\nX: " + std::string(4000, 'x')), 431);
  EXPECT_EQ(StatusOf(*server, "GET /" + std::string(4000, 'x')), 431);
  EXPECT_EQ(StatusOf(*server, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 200001\r\n\r\n"), 413);
  std::string chunked = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (int i = 0; i < 3; ++i) chunked += "11170\r\n" + std::string(70000, 'x') + "\r\n";
  EXPECT_EQ(StatusOf(*server, chunked + "0\r\n\r\n"), 413);
  EXPECT_EQ(StatusOf(*server, "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5;" +
                                  std::string(70000, 'x')),
            400);
}

TEST(HttpHostile, HalfARequestIsNotWaitedForForever) {
  const auto server = Serve(Small());
  EXPECT_EQ(StatusOf(*server, "GET / HTT"), 408);
  EXPECT_EQ(StatusOf(*server, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nab"), 408);
  // A byte now and then does not make a head come in time.
  RawClient dripping(server->port());
  bool taken = true;
  for (int i = 0; i < 100 && taken; ++i) {
    taken = dripping.Say("G");
    std::this_thread::sleep_for(milliseconds(20));
    if (dripping.Hear(milliseconds(0))) break;
  }
  EXPECT_EQ(dripping.Answer().status, 408);
  RawClient leaving(server->port());
  leaving.Say("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nab");
  leaving.EndSending();
  EXPECT_TRUE(leaving.IsClosed());
  EXPECT_EQ(leaving.received(), "");
}

TEST(HttpHostile, ABodyMaySlowlyComeAsLongAsItComes) {
  const auto server = Serve(Small());
  RawClient client(server->port());
  client.Say("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n");
  for (int i = 0; i < 10; ++i) {
    std::this_thread::sleep_for(milliseconds(40));
    client.Say("x");
  }
  EXPECT_EQ(client.Answer().body, "10");
}

TEST(HttpHostile, BodiesTogetherAreBounded) {
  HttpLimits limits = Small();
  limits.stall_time = milliseconds(5000);
  const auto server = Serve(limits);
  const std::string most(190'000, 'x');
  const std::string head = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 200000\r\n\r\n";
  RawClient first(server->port());
  RawClient second(server->port());
  first.Say(head + most);
  second.Say(head + most);
  std::this_thread::sleep_for(milliseconds(100));
  RawClient third(server->port());
  EXPECT_EQ(third.Ask(head + most).status, 503);
  EXPECT_EQ(RawClient(server->port())
                .Ask("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc")
                .body,
            "3");
  EXPECT_EQ(first.Ask(std::string(10'000, 'x')).body, "200000");
  RawClient fourth(server->port());  // there is room again
  EXPECT_EQ(fourth.Ask(head + most + std::string(10'000, 'x')).body, "200000");
}

TEST(HttpHostile, AClientThatTakesNothingIsCutOff) {
  HttpLimits limits = Small();
  std::atomic<bool> written = false;
  auto server =
      HttpServer::Start({"127.0.0.1", 0}, limits,
                        [&](HttpRequest /*request*/, const std::shared_ptr<HttpReply>& reply) {
                          reply->OnGone([&] { written = true; });
                          reply->Send({200, {}, std::string(std::size_t{40} << 20, 'x')});
                        });
  ASSERT_TRUE(server.has_value());
  RawClient client((*server)->port());
  client.Say(kGet);
  for (int i = 0; i < 2000 && (*server)->connections() != 1; ++i) {
    std::this_thread::sleep_for(milliseconds(1));
  }
  for (int i = 0; i < 2000 && (*server)->connections() != 0; ++i) {
    std::this_thread::sleep_for(milliseconds(2));
  }
  EXPECT_EQ((*server)->connections(), 0U);
  EXPECT_FALSE(written);  // it was answered
}

TEST(HttpHostile, WhoDoesNotReadMakesRoomForWhoDoes) {
  constexpr std::size_t kLong = std::size_t{40} << 20;
  HttpLimits limits;
  limits.all_unsent = std::size_t{60} << 20;
  auto server =
      HttpServer::Start({"127.0.0.1", 0}, limits,
                        [&](HttpRequest /*request*/, const std::shared_ptr<HttpReply>& reply) {
                          reply->Send({200, {}, std::string(kLong, 'x')});
                        });
  ASSERT_TRUE(server.has_value());
  RawClient silent((*server)->port());
  silent.Say(kGet);
  std::this_thread::sleep_for(milliseconds(200));
  EXPECT_EQ(RawClient((*server)->port()).Ask(kGet).status, 503);  // it may be reading
  std::this_thread::sleep_for(milliseconds(2000));
  for (int i = 0; i < 3; ++i) {
    const RawAnswer answer = RawClient((*server)->port()).Ask(kGet);
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer.body.size(), kLong);
  }
}

TEST(HttpHostile, WhatIsAnsweredIsSentBeforeTheEnd) {
  std::atomic<bool> asked = false;
  std::shared_ptr<HttpReply> held;
  auto server = HttpServer::Start({"127.0.0.1", 0}, {},
                                  [&](HttpRequest /*request*/, std::shared_ptr<HttpReply> reply) {
                                    reply->Begin({200, {}, "begun"});
                                    held = std::move(reply);
                                    asked = true;
                                  });
  ASSERT_TRUE(server.has_value());
  RawClient client((*server)->port());
  client.Say(kGet);
  while (!asked) std::this_thread::yield();
  ASSERT_TRUE(held->TryWrite("the end"));
  held->End();
  server->reset();
  EXPECT_EQ(client.Answer().body, "begunthe end");
}

TEST(HttpHostile, AThousandIdleClientsDoNotHoldUpAnother) {
  rlimit open = {};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &open), 0);
  if (open.rlim_max < 4096) GTEST_SKIP() << "too few descriptors for this test";
  if (open.rlim_cur < 4096) {
    open.rlim_cur = 4096;
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &open), 0);
  }
  HttpLimits limits;
  limits.connections = 1010;
  const auto server = Serve(limits);
  std::vector<RawClient> idle;
  for (int i = 0; i < 1000; ++i) {
    idle.emplace_back(server->port());
    ASSERT_TRUE(idle.back().connected());
    if (i % 2 == 0) idle.back().Say("POST / HT");
  }
  RawClient client(server->port());
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < 100; ++i) ASSERT_EQ(client.Ask(kGet).status, 200);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(3));
  EXPECT_EQ(server->connections(), 1001U);
  // Beyond the limit who has been here longest goes, not the newcomer.
  std::vector<RawClient> more;
  for (int i = 0; i < 20; ++i) {
    more.emplace_back(server->port());
    ASSERT_EQ(more.back().Ask(kGet).status, 200);
  }
  EXPECT_EQ(server->connections(), 1010U);
  EXPECT_TRUE(idle[0].IsClosed(milliseconds(1000)));
}

TEST(HttpHostile, WithEverybodyAtWorkTheNewcomerGoes) {
  HttpLimits limits;
  limits.connections = 2;
  const auto server = Serve(limits);
  const std::string_view post = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\n";
  RawClient first(server->port());
  RawClient second(server->port());
  first.Say(post);
  second.Say(post);
  std::this_thread::sleep_for(milliseconds(50));
  RawClient third(server->port());
  EXPECT_TRUE(third.IsClosed());
  EXPECT_EQ(first.Ask("x").status, 200);
}

// Only who says "me" passes.
std::unique_ptr<HttpServer> ServeFriends(const HttpLimits& limits) {
  auto server = HttpServer::Start({"127.0.0.1", 0}, limits, Length,
                                  [](HttpRequest& request) -> std::optional<HttpResponse> {
                                    if (request.fields.Find("Authorization") == "me")
                                      return std::nullopt;
                                    return HttpResponse{401, {}, {}};
                                  });
  EXPECT_TRUE(server.has_value());
  return server ? std::move(*server) : nullptr;
}

TEST(HttpHostile, StrangersMakeRoomBeforeFriends) {
  constexpr std::string_view friendly = "GET / HTTP/1.1\r\nHost: x\r\nAuthorization: me\r\n\r\n";
  HttpLimits limits;
  limits.connections = 4;
  const auto server = ServeFriends(limits);
  RawClient known(server->port());
  ASSERT_EQ(known.Ask(friendly).status, 200);  // idle for longest from now on
  std::vector<RawClient> strangers;
  for (int i = 0; i < 20; ++i) {
    strangers.emplace_back(server->port());
    ASSERT_TRUE(strangers.back().Say("GET / HTTP/1.1\r\nHo"));
  }
  const auto begin = std::chrono::steady_clock::now();
  RawClient newcomer(server->port());
  EXPECT_EQ(newcomer.Ask(friendly).status, 200);
  EXPECT_EQ(known.Ask(friendly).status, 200);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(1));
  EXPECT_TRUE(strangers.front().IsClosed(milliseconds(1000)));
  EXPECT_LE(server->connections(), 4U);
}

TEST(HttpHostile, AFriendWithHalfAHeadMakesRoomToo) {
  constexpr std::string_view friendly = "GET / HTTP/1.1\r\nHost: x\r\nAuthorization: me\r\n\r\n";
  HttpLimits limits;
  limits.connections = 2;
  const auto server = ServeFriends(limits);
  std::vector<RawClient> slow;
  for (int i = 0; i < 2; ++i) {
    slow.emplace_back(server->port());
    ASSERT_EQ(slow.back().Ask(friendly).status, 200);
    ASSERT_TRUE(slow.back().Say("GET / HT"));
  }
  EXPECT_EQ(RawClient(server->port()).Ask(friendly).status, 200);
  EXPECT_TRUE(slow.front().IsClosed(milliseconds(1000)));
}

TEST(HttpHostile, IdleClientsAreSentAwayInTime) {
  HttpLimits limits;
  limits.idle_time = milliseconds(60);
  const auto server = Serve(limits);
  RawClient client(server->port());
  EXPECT_EQ(client.Ask(kGet).status, 200);
  EXPECT_TRUE(client.IsClosed());
}

}  // namespace
}  // namespace cordon::net
