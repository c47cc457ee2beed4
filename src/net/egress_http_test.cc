// Plain HTTP requests that the egress proxy passes on.
#include <gtest/gtest.h>

#include "tests/support/egress_world.h"

namespace cordon::net {
namespace {

using namespace test;  // NOLINT(google-build-using-namespace): everything here is of it

std::string GetFrom(const std::string& host, const std::string& path = "/") {
  return "GET http://" + host + path + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n";
}

TEST(EgressHttp, PlainRequestsArePassedOn) {
  std::string heard;
  LoopHost host([&heard](int socket) {
    heard = LoopHost::HearFrom(socket, "\r\n\r\n");
    LoopHost::SayTo(socket,
                    "HTTP/1.1 200 Fine\r\nContent-Length: 5\r\nKeep-Alive: x\r\nX-Secret: y\r\n"
                    "Connection: X-Secret\r\nX-Kept: z\r\n\r\nhello");
  });
  const auto proxy = StartProxy("allow:127.0.0.1:" + host.Port());
  const std::string at = "127.0.0.1:" + host.Port();
  RawClient client(proxy.http);
  const RawAnswer answer = client.Ask(
      "GET HTTP://" + at + "?q=1 HTTP/1.1\r\nHost: " + at +
      "\r\nProxy-Connection: keep-alive\r\nProxy-Authorization: Basic eA==\r\nConnection: "
      "keep-alive, X-Hop\r\nX-Hop: 1\r\nTE: trailers\r\nUpgrade: h2c\r\nX-Mine: kept\r\n\r\n");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.body, "hello");
  EXPECT_EQ(answer.Field("X-Kept"), "z");
  EXPECT_EQ(answer.Field("X-Secret"), "");
  EXPECT_EQ(answer.Field("Keep-Alive"), "");
  EXPECT_EQ(answer.Field("Connection"), "keep-alive");
  EXPECT_EQ(heard, "GET /?q=1 HTTP/1.1\r\nHost: " + at +
                       "\r\nX-Mine: kept\r\nVia: 1.1 cordon\r\nConnection: close\r\n\r\n");
  // On the same connection, but judged by itself.
  const RawAnswer refused = client.Ask(GetFrom("127.0.0.1:1"));
  EXPECT_EQ(refused.status, 403);
  EXPECT_TRUE(client.IsClosed());
  const auto told = proxy.record->Wait(3);
  EXPECT_EQ(told[0].protocol, EgressProtocol::kHttp);
  EXPECT_GT(told[1].bytes_down, 5U);
  EXPECT_FALSE(told[2].allowed);
}

TEST(EgressHttp, BodiesKeepTheirEnds) {
  // Gives back the body it was sent, as far as its own framing told.
  LoopHost host([](int socket) {
    std::string heard = LoopHost::HearFrom(socket, "\r\n\r\n");
    if (heard.find("chunked") != std::string::npos && !heard.ends_with("0\r\n\r\n")) {
      heard += LoopHost::HearFrom(socket, "0\r\n\r\n");
    }
    const std::size_t end = heard.find("\r\n\r\n") + 4;
    if (heard.find("Content-Length: 10") != std::string::npos) {
      if (heard.size() < end + 10) heard += LoopHost::HearFrom(socket, "9");  // its last byte
    }
    // Until it closes: the client is to get it in chunks.
    LoopHost::SayTo(socket, "HTTP/1.0 200 OK\r\n\r\n<" + heard.substr(end) + ">");
  });
  const std::string at = "127.0.0.1:" + host.Port();
  const auto proxy = StartProxy("allow:" + at);
  RawClient client(proxy.http);
  const std::string post = "POST http://" + at + "/ HTTP/1.1\r\nHost: " + at + "\r\n";
  const RawAnswer chunks = client.Ask(
      post + "Transfer-Encoding: chunked\r\n\r\n5;ext=1\r\nhello\r\n1\r\n!\r\n0\r\nX-T: 1\r\n\r\n");
  EXPECT_TRUE(chunks.whole);
  EXPECT_EQ(chunks.Field("Transfer-Encoding"), "chunked");
  EXPECT_EQ(chunks.body.find("ext"), std::string::npos);
  EXPECT_EQ(chunks.body.find("X-T"), std::string::npos);
  EXPECT_NE(chunks.body.find("hello"), std::string::npos);
  EXPECT_TRUE(chunks.body.ends_with("0\r\n\r\n>")) << chunks.body;
  ASSERT_TRUE(client.Say(post + "Content-Length: 10\r\nExpect: 100-continue\r\n\r\n"));
  ASSERT_TRUE(client.HearUntil("100 Continue\r\n\r\n"));
  client.received().clear();
  const RawAnswer length = client.Ask("0123456789");
  EXPECT_EQ(length.body, "<0123456789>");
  RawClient old(proxy.http);  // which does not know chunks
  ASSERT_TRUE(old.Say("GET http://" + at + "/ HTTP/1.0\r\n\r\n"));
  EXPECT_TRUE(old.IsClosed());
  EXPECT_TRUE(old.received().ends_with("\r\n\r\n<>")) << old.received();
}

TEST(EgressHttp, RepliesThatAreNoneAreBadGateways) {
  for (const char* reply :
       {"", "SSH-2.0-x\r\n\r\n", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n"}) {
    LoopHost host([reply](int socket) {
      LoopHost::HearFrom(socket, "\r\n\r\n");
      LoopHost::SayTo(socket, reply);
    });
    const std::string at = "127.0.0.1:" + host.Port();
    const auto proxy = StartProxy("allow:" + at);
    RawClient client(proxy.http);
    EXPECT_EQ(client.Ask(GetFrom(at)).status, 502) << reply;
  }
}

TEST(EgressHttp, RepliesWithoutABodyHaveNone) {
  LoopHost host([](int socket) {
    const std::string heard = LoopHost::HearFrom(socket, "\r\n\r\n");
    if (heard.starts_with("HEAD")) {
      LoopHost::SayTo(socket, "HTTP/1.1 200 OK\r\nContent-Length: 1234\r\n\r\n");
    } else {
      LoopHost::SayTo(socket, "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 304 Not Modified\r\n\r\n");
    }
  });
  const std::string at = "127.0.0.1:" + host.Port();
  const auto proxy = StartProxy("allow:" + at);
  RawClient client(proxy.http);
  ASSERT_TRUE(client.Say("HEAD http://" + at + "/ HTTP/1.1\r\nHost: " + at + "\r\n\r\n"));
  ASSERT_TRUE(client.HearUntil("\r\n\r\n"));
  EXPECT_NE(client.received().find("Content-Length: 1234"), std::string::npos);
  client.received().clear();
  EXPECT_EQ(client.Ask(GetFrom(at)).status, 304);
  EXPECT_EQ(client.received(), "");
}

}  // namespace
}  // namespace cordon::net
