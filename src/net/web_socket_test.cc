#include "net/web_socket.h"

#include <gtest/gtest.h>

#include <future>
#include <thread>

#include "net/http_server.h"
#include "net/web_socket_client.h"
#include "tests/support/raw_client.h"

namespace cordon::net {
namespace {

using std::chrono::milliseconds;
using test::RawAnswer;
using test::RawClient;
using Kind = WebSocket::Kind;

constexpr std::string_view kHandshake =
    "GET /socket HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: keep-alive, Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n";

enum class Mask { kYes, kNo };
constexpr unsigned kFin = 0x80;
constexpr unsigned kContinuation = 0, kTextFrame = 1, kBinaryFrame = 2, kCloseFrame = 8, kPing = 9;

std::string Frame(unsigned first, std::string_view payload, Mask mask = Mask::kYes) {
  std::string frame(1, static_cast<char>(first));
  const unsigned masked = mask == Mask::kYes ? 0x80 : 0;
  if (payload.size() < 126) {
    frame += static_cast<char>(masked | payload.size());
  } else if (payload.size() < 65536) {
    frame += static_cast<char>(masked | 126);
    frame += static_cast<char>(payload.size() >> 8);
    frame += static_cast<char>(payload.size() & 255);
  } else {
    frame += static_cast<char>(masked | 127);
    for (int shift = 56; shift >= 0; shift -= 8) {
      frame += static_cast<char>((payload.size() >> shift) & 255);
    }
  }
  if (mask == Mask::kNo) return frame.append(payload);
  frame += std::string(4, '\0');  // a mask that changes nothing
  return frame.append(payload);
}

// A server whose one WebSocket is handed to the test's own work.
class WebSocketTest : public ::testing::Test {
 protected:
  using Work = std::function<void(WebSocket&)>;

  void Serve(Work work, const WebSocketTerms& terms = {}) {
    auto server = HttpServer::Start(
        {"127.0.0.1", 0}, {}, [this, work, terms](HttpRequest request, auto reply) {
          if (!AsksForWebSocket(request)) return reply->Send({200, {}, "plain"});
          std::shared_ptr<WebSocket> socket = reply->Upgrade(terms);
          if (!socket) return;
          threads_.emplace_back([work, socket = std::move(socket)] { work(*socket); });
        });
    ASSERT_TRUE(server.has_value());
    server_ = std::move(*server);
  }
  static void Echo(WebSocket& socket) {
    while (auto message = socket.Receive()) socket.Send(std::move(*message));
  }
  RawClient Connect(const std::string& more = "") {
    RawClient client(server_->port());
    const RawAnswer answer = client.Ask(std::string(kHandshake) + more + "\r\n");
    EXPECT_EQ(answer.status, 101);
    EXPECT_EQ(answer.Field("Sec-WebSocket-Accept"), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
    head_ = answer.head;
    return client;
  }
  // The code of the close frame that comes, 0 if the server just goes.
  static int CloseCode(RawClient& client) {
    while (client.received().size() < 4 && client.Hear(milliseconds(5000))) {
    }
    const std::string& got = client.received();
    if (got.size() < 4 || static_cast<unsigned char>(got[0]) != (kFin | kCloseFrame)) return 0;
    return static_cast<unsigned char>(got[2]) << 8 | static_cast<unsigned char>(got[3]);
  }
  // Before what the work refers to goes.
  void Stop() {
    server_.reset();
    threads_.clear();
  }
  void TearDown() override { Stop(); }

  std::vector<std::jthread> threads_;
  std::unique_ptr<HttpServer> server_;
  std::string head_;
};

TEST_F(WebSocketTest, EchoesTextAndBinary) {
  Serve(Echo);
  RawClient client = Connect();
  client.Say(Frame(kFin | kTextFrame, "hello"));
  ASSERT_TRUE(client.HearUntil(Frame(kFin | kTextFrame, "hello", Mask::kNo)));
  client.received().clear();
  const std::string bytes(70'000, '\xfe');
  client.Say(Frame(kFin | kBinaryFrame, bytes));
  EXPECT_TRUE(client.HearUntil(Frame(kFin | kBinaryFrame, bytes, Mask::kNo)));
}

TEST_F(WebSocketTest, PutsFragmentsTogetherAndAnswersPingsBetween) {
  Serve(Echo);
  RawClient client = Connect();
  client.Say(Frame(kTextFrame, "one ") + Frame(kFin | kPing, "p") + Frame(kContinuation, "two ") +
             Frame(kFin | kContinuation, "three"));
  EXPECT_TRUE(client.HearUntil(Frame(kFin | 10, "p", Mask::kNo)));
  EXPECT_TRUE(client.HearUntil(Frame(kFin | kTextFrame, "one two three", Mask::kNo)));
}

TEST_F(WebSocketTest, ChoosesASubprotocol) {
  WebSocketTerms terms;
  terms.subprotocol = "b";
  Serve(Echo, terms);
  Connect("Sec-WebSocket-Protocol: a, b\r\n");
  EXPECT_NE(head_.find("Sec-WebSocket-Protocol: b\r\n"), std::string::npos);
}

TEST_F(WebSocketTest, ClosesWithAReasonAfterWhatWasSent) {
  Serve([](WebSocket& socket) {
    socket.Send({Kind::kText, "last"});
    socket.Close(1000, "done");
  });
  RawClient client = Connect();
  ASSERT_TRUE(client.HearUntil(Frame(kFin | kTextFrame, "last", Mask::kNo)));
  EXPECT_TRUE(client.HearUntil(Frame(kFin | kCloseFrame,
                                     "\x03\xe8"
                                     "done",
                                     Mask::kNo)));
  client.Say(Frame(kFin | kCloseFrame, "\x03\xe8"));
  EXPECT_TRUE(client.IsClosed());
}

TEST_F(WebSocketTest, AHandlerThatGoesClosesIt) {
  Serve([](WebSocket&) {});
  RawClient client = Connect();
  EXPECT_EQ(CloseCode(client), 1001);
}

TEST_F(WebSocketTest, WhoeverWaitsLearnsThatTheClientIsGone) {
  std::promise<void> gone;
  Serve([&](WebSocket& socket) {
    EXPECT_FALSE(socket.Receive().has_value());
    EXPECT_FALSE(socket.open());
    EXPECT_FALSE(socket.Send({Kind::kText, "x"}));
    gone.set_value();
  });
  RawClient client = Connect();
  client.EndSending();  // half closed is closed
  EXPECT_EQ(gone.get_future().wait_for(milliseconds(5000)), std::future_status::ready);
  EXPECT_TRUE(client.IsClosed());
  Stop();
}

TEST_F(WebSocketTest, RefusesWhatIsForbidden) {
  const struct {
    std::string bytes;
    int code;
  } cases[] = {
      {Frame(kFin | kTextFrame, "x", Mask::kNo), 1002},    // not masked
      {Frame(kFin | kTextFrame, "\xff\xfe"), 1007},        // no UTF-8
      {Frame(kFin | 3, "x"), 1002},                        // no such kind
      {Frame(kFin | 0x40 | kTextFrame, "x"), 1002},        // a bit that nobody agreed on
      {Frame(kFin | kContinuation, "x"), 1002},            // of nothing
      {Frame(kPing, "x"), 1002},                           // a control frame in pieces
      {Frame(kFin | kPing, std::string(126, 'x')), 1002},  // a long one
      {Frame(kTextFrame, "a") + Frame(kFin | kTextFrame, "b"), 1002},  // within another
  };
  Serve(Echo);
  for (const auto& one : cases) {
    RawClient client = Connect();
    client.Say(one.bytes);
    EXPECT_EQ(CloseCode(client), one.code);
    EXPECT_TRUE(client.IsClosed());
  }
}

TEST_F(WebSocketTest, RefusesWhatIsTooLong) {
  WebSocketTerms terms;
  terms.message = 1000;
  Serve(Echo, terms);
  RawClient whole = Connect();
  whole.Say(Frame(kFin | kBinaryFrame, std::string(1001, 'x')));
  EXPECT_EQ(CloseCode(whole), 1009);
  RawClient pieces = Connect();
  pieces.Say(Frame(kBinaryFrame, std::string(600, 'x')) +
             Frame(kFin | kContinuation, std::string(600, 'x')));
  EXPECT_EQ(CloseCode(pieces), 1009);
}

TEST_F(WebSocketTest, DoesNotReadFromWhoIsNotListenedTo) {
  WebSocketTerms terms;
  terms.unread = 64 << 10;
  std::promise<void> enough;
  std::atomic<std::size_t> received{0};
  Serve(
      [&](WebSocket& socket) {
        enough.get_future().wait();
        while (auto message = socket.Receive()) received += message->bytes.size();
      },
      terms);
  RawClient client = Connect();
  const std::string frame = Frame(kFin | kBinaryFrame, std::string(32 << 10, 'x'));
  std::atomic<std::size_t> said{0};
  std::jthread speaker([&] {
    for (int i = 0; i < 2000 && client.Say(frame); ++i) ++said;
  });
  std::size_t before = SIZE_MAX;
  for (int i = 0; i < 100 && before != said; ++i) {
    before = said;
    std::this_thread::sleep_for(milliseconds(100));
  }
  // What the system takes for us is not ours; of 64 MB it is little.
  EXPECT_LT(said, 1000U);
  enough.set_value();
  speaker.join();
  EXPECT_EQ(said, 2000U);
  client.Say(Frame(kFin | kCloseFrame, ""));
  client.IsClosed();
  Stop();
  EXPECT_EQ(received, std::size_t{2000} * (32 << 10));
}

TEST_F(WebSocketTest, CutsOffWhoDoesNotRead) {
  WebSocketTerms terms;
  terms.unsent = 64 << 10;
  terms.stall_time = milliseconds(300);
  std::promise<std::size_t> sent;
  Serve(
      [&](WebSocket& socket) {
        std::size_t count = 0;
        while (count < 100'000 && socket.Send({Kind::kBinary, std::string(32 << 10, 'x')})) ++count;
        sent.set_value(count);
      },
      terms);
  const RawClient client = Connect();
  auto count = sent.get_future();
  ASSERT_EQ(count.wait_for(milliseconds(20'000)), std::future_status::ready);
  EXPECT_LT(count.get(), 100'000U);
  Stop();
}

TEST_F(WebSocketTest, CutsOffWhoSaysNothingAtAll) {
  WebSocketTerms terms;
  terms.quiet = milliseconds(300);
  Serve([](WebSocket& socket) { EXPECT_FALSE(socket.Receive().has_value()); }, terms);
  RawClient client = Connect();
  EXPECT_TRUE(client.IsClosed());  // pings come first, which nobody answers
}

TEST_F(WebSocketTest, OthersAreServedMeanwhile) {
  Serve(Echo);
  RawClient client = Connect();
  RawClient other(server_->port());
  EXPECT_EQ(other.Ask("GET / HTTP/1.1\r\nHost: x\r\n\r\n").body, "plain");
}

TEST_F(WebSocketTest, RefusesHandshakesThatAreWrong) {
  Serve(Echo);
  RawClient early(server_->port());
  early.Say(std::string(kHandshake) + "\r\n" + Frame(kFin | kTextFrame, "too early"));
  EXPECT_TRUE(early.IsClosed());
  EXPECT_EQ(early.received().find("101"), std::string::npos);
  RawClient old(server_->port());
  std::string wrong(kHandshake);
  wrong.replace(wrong.find("13"), 2, "12");
  old.Say(wrong + "\r\n");
  EXPECT_TRUE(old.HearUntil("HTTP/1.1 4"));
}

TEST_F(WebSocketTest, AServerThatEndsEndsThem) {
  Serve(Echo);
  RawClient client = Connect();
  server_.reset();
  EXPECT_TRUE(client.IsClosed());
}

TEST(OfferedSubprotocols, AreRead) {
  EXPECT_EQ(OfferedSubprotocols(
                {{"Sec-WebSocket-Protocol", "a , b"}, {"x", "y"}, {"sec-websocket-protocol", "c"}}),
            (std::vector<std::string>{"a", "b", "c"}));
}

TEST_F(WebSocketTest, AClientOfOursTalksToIt) {
  Serve(Echo);
  HttpCall call;
  call.target = "/socket";
  const auto answer = OpenWebSocket({{}, "127.0.0.1", server_->port()}, call, {});
  ASSERT_TRUE(answer.has_value()) << answer.error().detail;
  ASSERT_TRUE(answer->socket);
  const std::string large(200'000, 'x');
  ASSERT_TRUE(answer->socket->Send({Kind::kText, "hello"}));
  ASSERT_TRUE(answer->socket->Send({Kind::kBinary, large}));
  auto message = answer->socket->Receive();
  ASSERT_TRUE(message);
  EXPECT_EQ(message->kind, Kind::kText);
  EXPECT_EQ(message->bytes, "hello");
  message = answer->socket->Receive();
  ASSERT_TRUE(message);
  EXPECT_EQ(message->kind, Kind::kBinary);
  EXPECT_EQ(message->bytes, large);
  answer->socket->Close(1000, "");
  EXPECT_FALSE(answer->socket->Receive());
}

TEST_F(WebSocketTest, AClientOfOursIsToldWhatStoodInTheWay) {
  auto server = HttpServer::Start({"127.0.0.1", 0}, {}, [](const HttpRequest&, auto reply) {
    reply->Send({403, {}, "no"});
  });
  ASSERT_TRUE(server.has_value());
  HttpCall call;
  call.target = "/socket";
  const auto refused = OpenWebSocket({{}, "127.0.0.1", (*server)->port()}, call, {});
  ASSERT_TRUE(refused.has_value());
  EXPECT_FALSE(refused->socket);
  EXPECT_EQ(refused->refusal.status, 403);
  EXPECT_EQ(refused->refusal.body, "no");
  const std::uint16_t port = (*server)->port();
  server->reset();
  const auto nobody = OpenWebSocket({{}, "127.0.0.1", port}, call, {});
  ASSERT_FALSE(nobody.has_value());
  EXPECT_EQ(nobody.error().op, "connect");
}

}  // namespace
}  // namespace cordon::net
