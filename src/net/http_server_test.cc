#include "net/http_server.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <future>
#include <mutex>
#include <thread>

#include "tests/support/raw_client.h"

namespace cordon::net {
namespace {

using std::chrono::milliseconds;
using test::RawAnswer;
using test::RawClient;

constexpr std::string_view kGet = "GET /a?b=c HTTP/1.1\r\nHost: x\r\n\r\n";

std::string Post(std::string_view body) {
  return "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: " + std::to_string(body.size()) +
         "\r\n\r\n" + std::string(body);
}

void Echo(HttpRequest request, const std::shared_ptr<HttpReply>& reply) {
  HttpResponse response;
  response.fields.Add("X-Target", request.method + " " + request.path + "|" + request.query);
  response.body = std::move(request.body);
  reply->Send(response);
}

std::unique_ptr<HttpServer> Serve(HttpHandler handler, const HttpLimits& limits = {},
                                  HttpGate gate = nullptr) {
  auto server = HttpServer::Start({"127.0.0.1", 0}, limits, std::move(handler), std::move(gate));
  EXPECT_TRUE(server.has_value());
  return server ? std::move(*server) : nullptr;
}

// Waits until `done`, some seconds at most.
template <typename Done>
bool Eventually(Done done) {
  for (int i = 0; i < 2500; ++i) {
    if (done()) return true;
    std::this_thread::sleep_for(milliseconds(2));
  }
  return done();
}

TEST(HttpServer, AnswersOneAfterTheOther) {
  const auto server = Serve(Echo);
  EXPECT_EQ(server->address(), "127.0.0.1:" + std::to_string(server->port()));
  RawClient client(server->port());
  const RawAnswer first = client.Ask(kGet);
  EXPECT_EQ(first.status, 200);
  EXPECT_EQ(first.Field("X-Target"), "GET /a|b=c");
  EXPECT_NE(first.Field("Date"), "");
  const RawAnswer second = client.Ask(Post("hello"));
  EXPECT_EQ(second.body, "hello");
  EXPECT_EQ(server->connections(), 1U);
}

TEST(HttpServer, KeepsThingsInOrderForClientsThatDoNotWait) {
  const auto server = Serve(Echo);
  RawClient client(server->port());
  std::string all;
  for (int i = 0; i < 100; ++i) all += Post("number " + std::to_string(i));
  ASSERT_TRUE(client.Say(all));
  for (int i = 0; i < 100; ++i) EXPECT_EQ(client.Answer().body, "number " + std::to_string(i));
}

TEST(HttpServer, TakesBodiesInChunks) {
  const auto server = Serve(Echo);
  RawClient client(server->port());
  client.Say("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel");
  std::this_thread::sleep_for(milliseconds(20));
  const RawAnswer answer = client.Ask("lo\r\n6;some=thing\r\n world\r\n0\r\nTrailer: x\r\n\r\n");
  EXPECT_EQ(answer.body, "hello world");
  EXPECT_EQ(client.Ask(kGet).status, 200);
}

TEST(HttpServer, TakesLargeBodiesWhole) {
  const auto server = Serve(Echo);
  RawClient client(server->port());
  std::string body;
  for (int i = 0; body.size() < (std::size_t{5} << 20); ++i) body += std::to_string(i);
  std::thread sender([&] { client.Say(Post(body)); });
  sender.join();
  EXPECT_TRUE(client.Answer().body == body);
}

TEST(HttpServer, SaysThatItWantsTheBody) {
  const auto server = Serve(Echo);
  RawClient client(server->port());
  client.Say("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n");
  ASSERT_TRUE(client.HearUntil("100 Continue\r\n\r\n"));
  EXPECT_EQ(client.Ask("ok").body, "ok");
}

TEST(HttpServer, SendsNoBodyWhereNoneIsWanted) {
  const auto server = Serve([](HttpRequest /*request*/, const std::shared_ptr<HttpReply>& reply) {
    reply->Send({200, {}, "never"});
  });
  RawClient client(server->port());
  client.Say("HEAD / HTTP/1.1\r\nHost: x\r\n\r\n" + std::string(kGet));
  ASSERT_TRUE(client.HearUntil("\r\n\r\n"));
  client.received().erase(0, client.received().find("\r\n\r\n") + 4);
  const RawAnswer second = client.Answer();  // nothing stands before it
  EXPECT_TRUE(second.head.starts_with("HTTP/1.1 200"));
  EXPECT_EQ(second.body, "never");
}

TEST(HttpServer, SpeaksToOldClients) {
  const auto server = Serve([](HttpRequest request, const std::shared_ptr<HttpReply>& reply) {
    if (request.path == "/a") return reply->Send({200, {}, "x"});
    reply->Begin({200, {}, "one"});
    reply->TryWrite("two");
    reply->End();
  });
  RawClient client(server->port());
  EXPECT_EQ(client.Ask("GET /a HTTP/1.0\r\n\r\n").Field("Connection"), "close");
  EXPECT_TRUE(client.IsClosed());
  RawClient streaming(server->port());
  streaming.Say("GET /b HTTP/1.0\r\n\r\n");
  EXPECT_TRUE(streaming.IsClosed());
  EXPECT_TRUE(streaming.received().ends_with("\r\n\r\nonetwo"));
}

TEST(HttpServer, StreamsPiecesAsTheyCome) {
  const auto server = Serve([](HttpRequest /*request*/, std::shared_ptr<HttpReply> reply) {
    std::thread([reply] {
      reply->Begin({200, {{"Content-Type", "text/event-stream"}}, "first"});
      std::this_thread::sleep_for(milliseconds(30));
      EXPECT_TRUE(reply->Write("second"));
      reply->End();
      EXPECT_FALSE(reply->Write("too late"));
    }).detach();
  });
  RawClient client(server->port());
  client.Say(kGet);
  ASSERT_TRUE(client.HearUntil("first"));
  EXPECT_EQ(client.received().find("second"), std::string::npos);
  const RawAnswer answer = client.Answer();
  EXPECT_EQ(answer.body, "firstsecond");
  EXPECT_TRUE(answer.whole);
}

TEST(HttpServer, SaysSoWhenNobodyAnswers) {
  const auto server =
      Serve([](const HttpRequest& request, const std::shared_ptr<HttpReply>& reply) {
        if (request.path == "/begun") reply->Begin({200, {}, "half"});
        if (request.path == "/thrown") throw 1;
      });
  RawClient client(server->port());
  EXPECT_EQ(client.Ask(kGet).status, 500);
  const RawAnswer cut = client.Ask("GET /begun HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_EQ(cut.body, "half");
  EXPECT_FALSE(cut.whole);
  RawClient other(server->port());
  other.Say("GET /thrown HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_TRUE(other.IsClosed());
  EXPECT_EQ(RawClient(server->port()).Ask(kGet).status, 500);
}

TEST(HttpServer, NoticesThatAClientHasGone) {
  std::promise<void> gone;
  std::promise<std::shared_ptr<HttpReply>> taken;
  const auto server = Serve([&](HttpRequest /*request*/, std::shared_ptr<HttpReply> reply) {
    reply->OnGone([&] { gone.set_value(); });
    taken.set_value(std::move(reply));
  });
  RawClient client(server->port());
  client.Say(kGet);
  const std::shared_ptr<HttpReply> reply = taken.get_future().get();
  EXPECT_TRUE(reply->open());
  client.Close();
  ASSERT_EQ(gone.get_future().wait_for(std::chrono::seconds(5)), std::future_status::ready);
  EXPECT_FALSE(reply->open());
  reply->Begin({});
  EXPECT_FALSE(reply->Write("x"));
  bool told = false;
  reply->OnGone([&] { told = true; });
  EXPECT_TRUE(told);
}

TEST(HttpServer, RepliesMayOutliveIt) {
  std::promise<std::shared_ptr<HttpReply>> taken;
  auto server = Serve([&](HttpRequest /*request*/, std::shared_ptr<HttpReply> reply) {
    taken.set_value(std::move(reply));
  });
  RawClient client(server->port());
  client.Say(kGet);
  std::shared_ptr<HttpReply> reply = taken.get_future().get();
  reply->Begin({});
  server.reset();
  EXPECT_FALSE(reply->TryWrite("x"));
  reply->End();
  reply.reset();
  EXPECT_TRUE(client.IsClosed());
}

TEST(HttpServer, WaitsForClientsThatReadSlowlyAndQueuesNoMoreThanItMay) {
  HttpLimits limits;
  limits.unsent = 100'000;
  std::atomic<int> written = 0;
  std::promise<std::shared_ptr<HttpReply>> taken;
  const auto server = Serve(
      [&](HttpRequest /*request*/, std::shared_ptr<HttpReply> reply) {
        reply->Begin({});
        taken.set_value(std::move(reply));
      },
      limits);
  RawClient client(server->port());
  client.Say(kGet);
  const std::shared_ptr<HttpReply> reply = taken.get_future().get();
  std::thread writer([&] {
    for (int i = 0; i < 400 && reply->Write(std::string(100'000, 'x')); ++i) ++written;
    reply->End();
  });
  int before = -1;
  ASSERT_TRUE(Eventually([&] {
    std::this_thread::sleep_for(milliseconds(50));
    return std::exchange(before, written.load()) == written;
  }));
  EXPECT_LT(written, 400);  // what the system's own queues hold, and a little more
  EXPECT_FALSE(reply->TryWrite("x"));
  const RawAnswer answer = client.Answer();
  writer.join();
  EXPECT_EQ(answer.body.size(), 400U * 100'000U);
  EXPECT_TRUE(answer.whole);
}

TEST(HttpServer, QueuesNoMoreForAllClientsTogetherThanItMay) {
  constexpr std::size_t kLarge = 20'000'000;  // more than the system's own queues hold
  HttpLimits limits;
  limits.all_unsent = kLarge + kLarge / 2;
  const auto server = Serve(
      [](const HttpRequest& request, const std::shared_ptr<HttpReply>& reply) {
        reply->Send({200, {}, std::string(request.path == "/small" ? 10 : kLarge, 'x')});
      },
      limits);
  RawClient first(server->port());
  first.Say(kGet);
  RawClient second(server->port());
  ASSERT_TRUE(Eventually([&] {
    RawClient other(server->port());
    return other.Ask(kGet).status == 503;
  }));
  EXPECT_EQ(second.Ask("GET /small HTTP/1.1\r\nHost: x\r\n\r\n").status, 200);
  EXPECT_EQ(first.Answer().body.size(), kLarge);
  EXPECT_TRUE(Eventually([&] {
    RawClient other(server->port());
    return other.Ask(kGet).body.size() == kLarge;
  }));
}

TEST(HttpServer, LetsTheGateSpeakBeforeABodyIsReceived) {
  const auto server = Serve(
      [](const HttpRequest& request, const std::shared_ptr<HttpReply>& reply) {
        reply->Send({200, {}, std::any_cast<std::string>(request.badge) + request.body});
      },
      {},
      [](HttpRequest& request) -> std::optional<HttpResponse> {
        if (request.fields.Find("Key") != "right") return HttpResponse{401, {}, "who?"};
        request.badge = std::string("friend ");
        return std::nullopt;
      });
  RawClient stranger(server->port());
  const RawAnswer refused =
      stranger.Ask("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 60000000\r\n\r\nxyz");
  EXPECT_EQ(refused.status, 401);
  EXPECT_EQ(refused.body, "who?");
  EXPECT_TRUE(stranger.IsClosed());
  RawClient client(server->port());
  EXPECT_EQ(
      client.Ask("POST / HTTP/1.1\r\nHost: x\r\nKey: right\r\nContent-Length: 2\r\n\r\nhi").body,
      "friend hi");
}

TEST(HttpServer, ListensAtNothingThatOthersReach) {
  for (const char* host : {"0.0.0.0", "::", "192.0.2.1", "example.com", "::ffff:127.0.0.1", ""}) {
    const auto server = HttpServer::Start({host, 0}, {}, Echo);
    ASSERT_FALSE(server.has_value()) << host;
    EXPECT_EQ(server.error().code, ErrorCode::kInvalidArguments) << host;
  }
  const auto first = Serve(Echo);
  const auto second = HttpServer::Start({"127.0.0.1", first->port()}, {}, Echo);
  ASSERT_FALSE(second.has_value());
  EXPECT_EQ(second.error().code, ErrorCode::kIoError);
}

class LocalServer : public ::testing::Test {
 protected:
  LocalServer() {
    char name[] = "/tmp/cordon-net-XXXXXX";
    directory_ = ::mkdtemp(name);
    path_ = directory_ + "/s";
  }
  ~LocalServer() override { std::filesystem::remove_all(directory_); }
  Result<std::unique_ptr<HttpServer>> Start() {
    HttpAddress address;
    address.unix_socket = path_;
    return HttpServer::Start(address, {}, Echo);
  }
  std::size_t Entries() const {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(directory_), {}));
  }

  std::string directory_;
  std::string path_;
};

TEST_F(LocalServer, IsOursAloneAndGoesWithUs) {
  const mode_t before = ::umask(0);
  auto server = Start();
  ::umask(before);
  ASSERT_TRUE(server.has_value());
  struct stat found = {};
  ASSERT_EQ(::stat(path_.c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 07777, 0600U);
  EXPECT_TRUE(S_ISSOCK(found.st_mode));
  EXPECT_EQ((*server)->address(), path_);
  EXPECT_EQ(RawClient(path_).Ask(Post("hi")).body, "hi");
  EXPECT_EQ(Entries(), 1U);
  server->reset();
  EXPECT_EQ(Entries(), 0U);
}

TEST_F(LocalServer, TakesTheNameOfADeadOneButNotOfALivingOne) {
  {
    const int dead = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    path_.copy(address.sun_path, sizeof address.sun_path - 1);
    ASSERT_EQ(::bind(dead, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    ::close(dead);
  }
  const auto server = Start();
  ASSERT_TRUE(server.has_value()) << server.error().detail;
  const auto second = Start();
  ASSERT_FALSE(second.has_value());
  EXPECT_EQ(second.error().code, ErrorCode::kAlreadyExists);
  EXPECT_EQ(RawClient(path_).Ask(kGet).status, 200);
  EXPECT_EQ(Entries(), 1U);
}

TEST_F(LocalServer, LeavesAnythingElseAlone) {
  std::filesystem::create_directory(path_);
  ASSERT_FALSE(Start().has_value());
  EXPECT_EQ(Entries(), 1U);
  path_ = directory_ + "/" + std::string(120, 'x');
  const auto longer = Start();
  ASSERT_FALSE(longer.has_value());
  EXPECT_EQ(longer.error().code, ErrorCode::kInvalidArguments);
}

}  // namespace
}  // namespace cordon::net
