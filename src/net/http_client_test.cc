#include "net/http_client.h"

#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <thread>

#include "net/http_server.h"
#include "platform/inside_sandbox.h"
#include "tests/support/egress_world.h"
#include "tests/tree.h"

namespace cordon::net {
namespace {

using std::chrono::milliseconds;
using test::LoopHost;

HttpClientLimits Quick() {
  HttpClientLimits limits;
  limits.head = 4096;
  limits.body = 10'000;
  limits.connect_time = limits.answer_time = limits.stall_time = milliseconds(300);
  return limits;
}

// A server that says `text` whatever it is asked, and then closes or stays.
struct Says {
  enum class Then { kClose, kStay };
  explicit Says(std::string text, Then then = Then::kClose)
      : host([text = std::move(text), then](int socket) {
          LoopHost::HearFrom(socket, "\r\n\r\n");
          LoopHost::SayTo(socket, text);
          if (then == Then::kStay) LoopHost::HearFrom(socket, "never");
        }) {}
  HttpClient Client(const HttpClientLimits& limits = Quick()) const {
    return HttpClient(HttpPeer{"", "127.0.0.1", host.port()}, limits);
  }
  LoopHost host;
};

ErrorCode CodeOf(const std::string& said, Says::Then then = Says::Then::kClose) {
  const Says server(said, then);
  const auto answer = server.Client().Send({});
  EXPECT_FALSE(answer) << answer->status << " " << answer->body;
  return answer ? ErrorCode::kUnknownTool : answer.error().code;
}

TEST(HttpClientTest, SpeaksWithOurOwnServerOnALocalSocket) {
  const testing::Tree tree;
  auto server = HttpServer::Start({"", 0, tree.At("socket")}, {},
                                  [](HttpRequest request, const std::shared_ptr<HttpReply>& reply) {
                                    std::string body = request.method + " " + request.path + "?" +
                                                       request.query + " " + request.body;
                                    reply->Send({201, {{"X-Said", "yes"}}, std::move(body)});
                                  });
  ASSERT_TRUE(server);
  const HttpClient client(HttpPeer{tree.At("socket")});
  HttpCall call;
  call.method = "POST";
  call.target = "/a/b?c=d";
  call.body = "hello";
  auto answer = client.Send(call);
  ASSERT_TRUE(answer) << answer.error().detail;
  EXPECT_EQ(answer->status, 201);
  EXPECT_EQ(answer->fields.Find("x-said"), "yes");
  EXPECT_EQ(answer->body, "POST /a/b?c=d hello");

  int pieces = 0;
  call.pieces = [&]() -> Result<std::optional<std::string>> {
    if (pieces == 3) return std::optional<std::string>();
    return std::optional<std::string>(std::to_string(pieces++) + std::string(20'000, 'x'));
  };
  answer = client.Send(call);
  ASSERT_TRUE(answer) << answer.error().detail;
  EXPECT_EQ(answer->body.size(), std::string("POST /a/b?c=d ").size() + 60'003);
}

TEST(HttpClientTest, ABodyThatFailsHalfwayFailsTheCall) {
  const Says server("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
  HttpCall call;
  call.method = "POST";
  call.pieces = []() -> Result<std::optional<std::string>> {
    Error error;
    error.code = ErrorCode::kStaleFile;
    return error;
  };
  EXPECT_EQ(server.Client().Send(call).error().code, ErrorCode::kStaleFile);
}

TEST(HttpClientTest, NothingInACallAddsALine) {
  const HttpClient client(HttpPeer{"/no/such/socket"});
  for (const char* target : {"/a b", "/a\r\nX: y", "a", "", "/\x7f"}) {
    HttpCall call;
    call.target = target;
    EXPECT_EQ(client.Send(call).error().code, ErrorCode::kIoError) << target;  // not connected yet
  }
  const Says server("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
  for (const char* target : {"/a b", "/a\r\nX: y", "a", "", "/\x7f"}) {
    HttpCall call;
    call.target = target;
    EXPECT_EQ(server.Client().Send(call).error().code, ErrorCode::kInvalidArguments) << target;
  }
  HttpCall call;
  call.fields.Add("X", "a\r\nY: b");
  EXPECT_EQ(server.Client().Send(call).error().code, ErrorCode::kInvalidArguments);
  call.fields = {{"X y", "a"}};
  EXPECT_EQ(server.Client().Send(call).error().code, ErrorCode::kInvalidArguments);
}

TEST(HttpClientTest, OnlyThisHostIsConnectedTo) {
  for (const char* host : {"192.0.2.1", "example.org", "0.0.0.0", ""}) {
    EXPECT_EQ(HttpClient(HttpPeer{"", host, 80}).Send({}).error().code,
              ErrorCode::kInvalidArguments);
  }
  EXPECT_EQ(HttpClient(HttpPeer{std::string(200, 'x')}).Send({}).error().code,
            ErrorCode::kInvalidArguments);
}

TEST(HttpClientTest, NobodyListens) {
  EXPECT_EQ(HttpClient(HttpPeer{"/no/such/socket"}).Send({}).error().code, ErrorCode::kIoError);
}

TEST(HttpClientTest, BodiesUpToTheEndOfTheConnection) {
  const Says server("HTTP/1.0 200 OK\r\n\r\nall of it");
  const auto answer = server.Client().Send({});
  ASSERT_TRUE(answer) << answer.error().detail;
  EXPECT_EQ(answer->body, "all of it");
}

TEST(HttpClientTest, AnswersCutShortAreErrors) {
  EXPECT_EQ(CodeOf("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort"), ErrorCode::kIoError);
  EXPECT_EQ(CodeOf("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab"),
            ErrorCode::kIoError);
  EXPECT_EQ(CodeOf("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n"),
            ErrorCode::kIoError);
  EXPECT_EQ(CodeOf("HTTP/1.1 200 OK\r\nContent-Le"), ErrorCode::kIoError);
  EXPECT_EQ(CodeOf(""), ErrorCode::kIoError);
  EXPECT_EQ(CodeOf("SSH-2.0-x\r\n\r\n"), ErrorCode::kIoError);
}

TEST(HttpClientTest, LiesAboutLengthsAreErrors) {
  const std::string ok = "HTTP/1.1 200 OK\r\n";
  EXPECT_EQ(CodeOf(ok + "Content-Length: -1\r\n\r\n"), ErrorCode::kIoError);
  EXPECT_EQ(CodeOf(ok + "Content-Length: 99999999999999999999\r\n\r\n"), ErrorCode::kIoError);
  EXPECT_EQ(CodeOf(ok + "Content-Length: 1\r\nContent-Length: 2\r\n\r\nab"), ErrorCode::kIoError);
  EXPECT_EQ(CodeOf(ok + "Transfer-Encoding: chunked\r\n\r\nzz\r\n"), ErrorCode::kIoError);
}

TEST(HttpClientTest, SizesAreBounded) {
  const std::string ok = "HTTP/1.1 200 OK\r\n";
  EXPECT_EQ(CodeOf(ok + "X: " + std::string(10'000, 'x') + "\r\n\r\n"), ErrorCode::kTooLarge);
  EXPECT_EQ(CodeOf(ok + "Content-Length: 20000\r\n\r\n" + std::string(20'000, 'x')),
            ErrorCode::kTooLarge);
  EXPECT_EQ(CodeOf(ok + "\r\n" + std::string(20'000, 'x')), ErrorCode::kTooLarge);
}

TEST(HttpClientTest, TimeIsBounded) {
  const auto begun = std::chrono::steady_clock::now();
  EXPECT_EQ(CodeOf("", Says::Then::kStay), ErrorCode::kTimeout);
  EXPECT_EQ(CodeOf("HTTP/1.1 200 OK\r\n", Says::Then::kStay), ErrorCode::kTimeout);
  EXPECT_EQ(CodeOf("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc", Says::Then::kStay),
            ErrorCode::kTimeout);
  // One that takes nothing.
  const LoopHost deaf([](int /*socket*/) { std::this_thread::sleep_for(milliseconds(1500)); });
  HttpCall call;
  call.method = "POST";
  call.body = std::string(std::size_t{64} << 20, 'x');
  EXPECT_EQ(HttpClient(HttpPeer{"", "127.0.0.1", deaf.port()}, Quick()).Send(call).error().code,
            ErrorCode::kTimeout);
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(20));
}

TEST(HttpClientTest, AnAnswerBeforeTheBodyIsTakenCounts) {
  const Says server("HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\n\r\nno");
  HttpCall call;
  call.method = "POST";
  call.body = "small";
  const auto answer = server.Client().Send(call);
  ASSERT_TRUE(answer) << answer.error().detail;
  EXPECT_EQ(answer->status, 413);
}

TEST(HttpClientTest, StreamsComeByAndBy) {
  std::promise<void> go;
  const LoopHost host([&go](int socket) {
    LoopHost::HearFrom(socket, "\r\n\r\n");
    LoopHost::SayTo(socket, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n");
    go.get_future().wait();
    LoopHost::SayTo(socket, "3\r\ntwo\r\n0\r\n\r\n");
  });
  const HttpClient client(HttpPeer{"", "127.0.0.1", host.port()}, Quick());
  const auto stream = client.Open({});
  ASSERT_TRUE(stream) << stream.error().detail;
  EXPECT_EQ((*stream)->head().status, 200);
  EXPECT_EQ(**(*stream)->Next(milliseconds(5000)), "one");
  EXPECT_EQ((*stream)->Next(milliseconds(50)).error().code, ErrorCode::kTimeout);
  go.set_value();
  EXPECT_EQ(**(*stream)->Next(milliseconds(5000)), "two");
  const auto end = (*stream)->Next(milliseconds(5000));
  ASSERT_TRUE(end);
  EXPECT_FALSE(*end);
}

TEST(HttpClientTest, AStreamIsCancelledWhileItWaits) {
  const Says server("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", Says::Then::kStay);
  const auto stream = server.Client().Open({});
  ASSERT_TRUE(stream);
  std::thread canceller([&] {
    std::this_thread::sleep_for(milliseconds(100));
    (*stream)->Cancel();
  });
  EXPECT_EQ((*stream)->Next(milliseconds(20'000)).error().code, ErrorCode::kIoError);
  canceller.join();
  EXPECT_EQ((*stream)->Next(milliseconds(20'000)).error().code, ErrorCode::kIoError);
}

TEST(HttpClientTest, AConnectionIsTakenOver) {
  const LoopHost host([](int socket) {
    const std::string head = LoopHost::HearFrom(socket, "\r\n\r\n");
    EXPECT_NE(head.find("Upgrade: tcp\r\n"), std::string::npos) << head;
    LoopHost::SayTo(socket,
                    "HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\nearly");
    LoopHost::SayTo(socket, LoopHost::HearFrom(socket, "!"));
  });
  const HttpClient client(HttpPeer{"", "127.0.0.1", host.port()}, Quick());
  auto hijack = client.Hijack({}, "tcp");
  ASSERT_TRUE(hijack) << hijack.error().detail;
  ASSERT_TRUE(hijack->stream.valid());
  ASSERT_EQ(::send(hijack->stream.get(), "hello!", 6, MSG_NOSIGNAL), 6);
  std::string heard = hijack->early;
  while (heard.find('!') == std::string::npos) {
    std::vector<platform::Readiness> ready = {{hijack->stream.get()}};
    platform::AwaitReady(ready, 5000);
    const auto bytes = platform::ReadNow(hijack->stream.get(), 100);
    ASSERT_TRUE(bytes && *bytes && !(*bytes)->empty());
    heard += **bytes;
  }
  EXPECT_EQ(heard, "earlyhello!");
}

TEST(HttpClientTest, WhoDoesNotAgreeSaysWhy) {
  const Says server("HTTP/1.1 409 Conflict\r\nContent-Length: 4\r\n\r\nbusy");
  const auto hijack = server.Client().Hijack({}, "tcp");
  ASSERT_TRUE(hijack) << hijack.error().detail;
  EXPECT_FALSE(hijack->stream.valid());
  EXPECT_EQ(hijack->head.status, 409);
  EXPECT_EQ(hijack->head.body, "busy");
}

}  // namespace
}  // namespace cordon::net
