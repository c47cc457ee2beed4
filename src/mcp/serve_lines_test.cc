// Both eras as a client on a line stream sees them.
#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>
#include <thread>

#include "mcp/stdio_server.h"

namespace cordon::mcp {
namespace {

namespace json = boost::json;
using std::chrono_literals::operator""ms;
using std::chrono_literals::operator""s;

// A client in the same process.
class Wire final : public LineStream {
 public:
  Result<std::size_t> Read(std::span<char> buffer) override {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !in_.empty() || closed_; });
    const std::size_t size = std::min(buffer.size(), in_.size());
    std::copy_n(in_.begin(), size, buffer.begin());
    in_.erase(0, size);
    return size;
  }
  Status Write(std::string_view bytes) override {
    const std::lock_guard lock(mutex_);
    out_ += bytes;
    changed_.notify_all();
    return {};
  }
  void Send(std::string_view line) {
    const std::lock_guard lock(mutex_);
    in_.append(line).append("\n");
    changed_.notify_all();
  }
  void Close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    changed_.notify_all();
  }
  // The next line from the server; empty when none comes in time.
  json::object Receive() {
    std::unique_lock lock(mutex_);
    const bool came =
        changed_.wait_for(lock, 5s, [&] { return out_.find('\n') != std::string::npos; });
    if (!came) return {};
    const std::string line = out_.substr(0, out_.find('\n'));
    out_.erase(0, line.size() + 1);
    return json::parse(line).as_object();
  }
  bool quiet() {
    std::this_thread::sleep_for(50ms);
    const std::lock_guard lock(mutex_);
    return out_.empty();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string in_;
  std::string out_;
  bool closed_ = false;
};

// "echo" answers, "ask" asks for a name, "wait" waits to be cancelled.
class Fake final : public Service {
 public:
  Fake() {
    description_.name = "fake";
    description_.version = "1";
    description_.capabilities = json::parse(
                                    R"({"tools":{"listChanged":true},
        "resources":{"subscribe":true},"logging":{},"extensions":{}})")
                                    .as_object();
  }
  const Description& Describe() const override { return description_; }

  std::shared_ptr<void> Join(Exchange& exchange) override {
    ++joined;
    AskRoots(exchange);
    return std::make_shared<int>(joined.load());
  }
  void RootsChanged(Exchange& exchange) override {
    ++roots_changed;
    AskRoots(exchange);
  }
  Answered<Page> ListTools(Exchange& /*exchange*/, const Cursor& /*cursor*/) override {
    json::object tool = json::parse(R"({"name":"echo","title":"Echo","annotations":{},
        "inputSchema":{"type":"object"},"outputSchema":{"type":"object"}})")
                            .as_object();
    return Page{json::array{std::move(tool)}, {}};
  }
  Answered<ToolResult> CallTool(Exchange& exchange, std::string_view name,
                                const json::object& arguments) override {
    ToolResult result;
    if (name == "wait") {
      std::mutex mutex;
      std::condition_variable_any changed;
      std::unique_lock lock(mutex);
      ++waiting;
      changed.wait_for(lock, exchange.stop(), 10s, [] { return false; });
      cancelled += exchange.stop().stop_requested() ? 1 : 0;
    } else if (name == "ask") {
      const auto answer = exchange.Ask("name", "elicitation/create", {{"message", "who?"}}, 5s);
      result.content.push_back(
          json::object{{"type", "text"},
                       {"text", answer ? json::serialize(*answer)
                                       : std::to_string(static_cast<int>(answer.error()))}});
      if (exchange.carried() != nullptr) result.structured = *exchange.carried();
      exchange.Carry({{"round", 1}});
    } else if (name == "echo") {
      exchange.Progress(1, 2, "half");
      exchange.Log(LogLevel::kInfo, "fake", "hello");
      result.content.push_back(
          json::object{{"type", "text"}, {"text", json::serialize(arguments)}});
      result.content.push_back(json::object{{"type", "resource_link"}, {"uri", "file:///a"}});
      result.structured = arguments;
    } else {
      return tl::make_unexpected(InvalidParams("no such tool"));
    }
    return result;
  }
  Answered<Lease> Subscribe(Exchange& /*exchange*/, std::string_view uri) override {
    if (uri != "file:///a") return tl::make_unexpected(ResourceNotFound(uri));
    return std::make_shared<int>(0);
  }

  std::atomic<int> joined = 0;
  std::atomic<int> roots_changed = 0;
  std::atomic<int> waiting = 0;
  std::atomic<int> cancelled = 0;
  std::atomic<int> roots = -1;

 private:
  void AskRoots(Exchange& exchange) {
    const auto answer = exchange.Ask("roots", "roots/list", {}, 5s);
    if (answer) roots = static_cast<int>(answer->at("roots").as_array().size());
  }
  Description description_;
};

class ServeLinesTest : public ::testing::Test {
 protected:
  ServeLinesTest() : server_([this] { EXPECT_TRUE(ServeLines(service_, hub_, wire_, limits_)); }) {}
  ~ServeLinesTest() override {
    wire_.Close();
    server_.join();
  }
  void Send(const std::string& line) { wire_.Send(line); }
  json::object Receive() { return wire_.Receive(); }
  json::object Initialize(const std::string& revision, const std::string& capabilities = "{}") {
    Send(R"({"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":")" +
         revision + R"(","capabilities":)" + capabilities + R"(,"clientInfo":{"name":"t"}}})");
    json::object reply = Receive();
    Send(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
    return reply["result"].as_object();
  }
  void Call(const std::string& id, const std::string& tool, const std::string& more = "") {
    Send(R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":"tools/call","params":{"name":")" + tool +
         R"(","arguments":{"a":1})" + more + "}}");
  }
  static std::string Meta(const std::string& capabilities = "{}", const std::string& more = "") {
    return R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
           R"("io.modelcontextprotocol/clientCapabilities":)" +
           capabilities + more + "}";
  }

  StdioLimits limits_{.line = 100'000, .running = 4, .waiting = 8};
  Fake service_;
  Hub hub_;
  Wire wire_;
  std::thread server_;
};

int CodeOf(const json::object& reply) {
  return static_cast<int>(reply.at("error").at("code").as_int64());
}

TEST_F(ServeLinesTest, NegotiatesARevision) {
  EXPECT_EQ(Initialize("2025-06-18").at("protocolVersion"), "2025-06-18");
}

TEST_F(ServeLinesTest, OffersItsNewestHandshakeForAnythingElse) {
  const json::object result = Initialize("2026-07-28");
  EXPECT_EQ(result.at("protocolVersion"), "2025-11-25");
  EXPECT_FALSE(result.at("capabilities").as_object().contains("extensions"));
}

TEST_F(ServeLinesTest, WantsInitializeFirst) {
  Send(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})");
  EXPECT_EQ(CodeOf(Receive()), -32600);
  Send(R"({"jsonrpc":"2.0","id":2,"method":"server/discover"})");
  EXPECT_EQ(CodeOf(Receive()), -32601);
  Send(R"({"jsonrpc":"2.0","id":3,"method":"ping"})");
  EXPECT_TRUE(Receive().at("result").as_object().empty());
}

TEST_F(ServeLinesTest, TakesWhatIsTooNewOutOfOldRevisions) {
  Initialize("2024-11-05");
  Send(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})");
  const json::object listed = Receive();
  const json::object& tool = listed.at("result").at("tools").at(0).as_object();
  for (const char* const gone : {"title", "annotations", "outputSchema"}) {
    EXPECT_FALSE(tool.contains(gone)) << gone;
  }
  Call("2", "echo");
  EXPECT_EQ(Receive().at("method"), "notifications/message");
  const json::object called = Receive();
  EXPECT_FALSE(called.at("result").as_object().contains("structuredContent"));
  EXPECT_EQ(called.at("result").at("content").at(1).at("type"), "text");
}

TEST_F(ServeLinesTest, TellsProgressOnlyWhereItIsWanted) {
  Initialize("2025-11-25");
  Send(R"({"jsonrpc":"2.0","id":9,"method":"logging/setLevel","params":{"level":"error"}})");
  Receive();
  Call("1", "echo");
  EXPECT_TRUE(Receive().contains("result"));
  Call("2", "echo", R"(,"_meta":{"progressToken":"p"})");
  const json::object notice = Receive();
  EXPECT_EQ(notice.at("method"), "notifications/progress");
  EXPECT_EQ(notice.at("params").at("progressToken"), "p");
  EXPECT_TRUE(Receive().contains("result"));
}

TEST_F(ServeLinesTest, AsksAndWaitsInTheHandshakeEra) {
  Initialize("2025-11-25", R"({"elicitation":{}})");
  Call("1", "ask");
  const json::object question = Receive();
  EXPECT_EQ(question.at("method"), "elicitation/create");
  Send(R"({"jsonrpc":"2.0","id":99,"result":{"action":"decline"}})");  // to nothing asked
  Send(R"({"jsonrpc":"2.0","id":)" + json::serialize(question.at("id")) +
       R"(,"result":{"action":"accept"}})");
  const json::object reply = Receive();
  EXPECT_EQ(reply.at("result").at("content").at(0).at("text"), R"({"action":"accept"})");
}

TEST_F(ServeLinesTest, DoesNotAskWhoCannotBeAsked) {
  Initialize("2025-11-25");
  Call("1", "ask");
  const json::value incapable(std::to_string(static_cast<int>(AskFailure::kIncapable)));
  EXPECT_EQ(Receive().at("result").at("content").at(0).at("text"), incapable);
}

TEST_F(ServeLinesTest, AsksForRootsBeforeTheFirstCallAndAfterAChange) {
  Initialize("2025-11-25", R"({"roots":{"listChanged":true}})");
  for (int round = 1; round <= 2; ++round) {
    Call("1", "ask");
    const json::object question = Receive();
    ASSERT_EQ(question.at("method"), "roots/list");
    Send(R"({"jsonrpc":"2.0","id":)" + json::serialize(question.at("id")) +
         R"(,"result":{"roots":[)" + (round == 1 ? "{}" : "{},{}") + "]}}");
    EXPECT_TRUE(Receive().contains("result"));
    EXPECT_EQ(service_.roots, round);
    Send(R"({"jsonrpc":"2.0","method":"notifications/roots/list_changed"})");
  }
  EXPECT_EQ(service_.joined, 1);
  EXPECT_EQ(service_.roots_changed, 1);
}

TEST_F(ServeLinesTest, CancelledRequestsStopAndAreNotAnswered) {
  Initialize("2025-11-25");
  Call("1", "wait");
  Call("2", "wait", "," + Meta());
  while (service_.waiting < 2) std::this_thread::sleep_for(1ms);
  Send(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})");
  Send(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}})");
  Send(R"({"jsonrpc":"2.0","id":3,"method":"ping"})");
  EXPECT_EQ(Receive().at("id"), 3);
  EXPECT_TRUE(wire_.quiet());
  EXPECT_EQ(service_.cancelled, 2);
}

TEST_F(ServeLinesTest, SomebodyAlwaysReads) {
  Initialize("2025-11-25");
  for (int i = 0; i < 4; ++i) Call(std::to_string(i), "wait");
  while (service_.waiting < 4) std::this_thread::sleep_for(1ms);
  for (int i = 4; i < 12; ++i) Call(std::to_string(i), "wait");  // these wait
  Call("12", "wait");                                            // and this is too many
  EXPECT_EQ(Receive().at("id"), 12);
  for (int i = 0; i < 12; ++i) {
    Send(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)" +
         std::to_string(i) + "}}");
  }
  Send(R"({"jsonrpc":"2.0","id":"p","method":"ping"})");
  EXPECT_EQ(Receive().at("id"), "p");
}

TEST_F(ServeLinesTest, RefusesAnIdThatIsInUse) {
  Initialize("2025-11-25");
  Call("1", "wait");
  Call("1", "echo");
  EXPECT_EQ(CodeOf(Receive()), -32600);
  Send(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})");
}

TEST_F(ServeLinesTest, OldBatchesOnlyWhereTheyWereNegotiated) {
  const std::string batch =
      R"([{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"x"},{"jsonrpc":"2.0","id":2,"method":"ping"}])";
  Send(batch);
  EXPECT_EQ(CodeOf(Receive()), -32600);
  Initialize("2025-06-18");
  Send(batch);
  EXPECT_EQ(CodeOf(Receive()), -32600);
}

TEST_F(ServeLinesTest, RefusesLinesThatAreTooLongAndGoesOn) {
  Send(std::string(300'000, 'x'));
  EXPECT_EQ(CodeOf(Receive()), -32600);
  Send("not json");
  EXPECT_EQ(CodeOf(Receive()), -32700);
  Send("  ");
  Send(R"({"jsonrpc":"2.0","id":1,"method":"ping"})");
  EXPECT_EQ(Receive().at("id"), 1);
}

TEST_F(ServeLinesTest, DiscoversAndChecksWhatEachRequestMustSay) {
  Send(R"({"jsonrpc":"2.0","id":1,"method":"server/discover","params":{)" + Meta() + "}}");
  const json::object found = Receive();
  EXPECT_EQ(found.at("result").at("resultType"), "complete");
  EXPECT_EQ(found.at("result").at("supportedVersions").at(0), "2026-07-28");
  EXPECT_TRUE(found.at("result").as_object().contains("ttlMs"));
  Send(
      R"({"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"1900-01-01"}}})");
  EXPECT_EQ(CodeOf(Receive()), -32022);
  Send(
      R"({"jsonrpc":"2.0","id":3,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}})");
  EXPECT_EQ(CodeOf(Receive()), -32602);
  for (const char* const gone : {"initialize", "ping", "logging/setLevel", "resources/subscribe"}) {
    Send(std::string(R"({"jsonrpc":"2.0","id":4,"method":")") + gone + R"(","params":{)" + Meta() +
         "}}");
    EXPECT_EQ(CodeOf(Receive()), -32601) << gone;
  }
}

TEST_F(ServeLinesTest, AsksByItsReplyInTheStatelessEra) {
  const std::string meta = "," + Meta(R"({"elicitation":{}})");
  Call("1", "ask", meta);
  const json::object asked = Receive().at("result").as_object();
  EXPECT_EQ(asked.at("resultType"), "input_required");
  EXPECT_EQ(asked.at("inputRequests").at("name").at("method"), "elicitation/create");
  const std::string state =
      R"(,"requestState":)" + json::serialize(asked.at("requestState")) + R"(,"inputResponses":)";
  // Without the answer it is asked again; the state is used up by that.
  Call("2", "ask", meta + state + "{}");
  const json::object again = Receive().at("result").as_object();
  EXPECT_EQ(again.at("resultType"), "input_required");
  Call("3", "ask", meta + state + R"({"name":{"action":"accept"}})");
  EXPECT_EQ(CodeOf(Receive()), -32602);
  const std::string fresh =
      R"(,"requestState":)" + json::serialize(again.at("requestState")) + R"(,"inputResponses":)";
  Call("4", "ask", meta + fresh + R"({"name":{"action":"accept"},"other":{}})");
  const json::object done = Receive().at("result").as_object();
  EXPECT_EQ(done.at("resultType"), "complete");
  EXPECT_EQ(done.at("structuredContent").at("round"), 1);
}

TEST_F(ServeLinesTest, StreamsChangesInTheStatelessEra) {
  Send(R"({"jsonrpc":"2.0","id":"l","method":"subscriptions/listen","params":{)" + Meta() +
       R"(,"notifications":{"toolsListChanged":true,"promptsListChanged":true,)"
       R"("resourceSubscriptions":["file:///a","file:///b"]}}})");
  const json::object acknowledged = Receive();
  EXPECT_EQ(acknowledged.at("method"), "notifications/subscriptions/acknowledged");
  const json::object& honoured = acknowledged.at("params").at("notifications").as_object();
  EXPECT_FALSE(honoured.contains("promptsListChanged"));
  EXPECT_EQ(honoured.at("resourceSubscriptions").as_array().size(), 1U);
  hub_.Tell({Change::Kind::kResource, "file:///b"});
  hub_.Tell({Change::Kind::kPrompts});
  hub_.Tell({Change::Kind::kResource, "file:///a"});
  EXPECT_EQ(Receive().at("params").at("uri"), "file:///a");
  Send(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"l"}})");
  Send(R"({"jsonrpc":"2.0","id":1,"method":"server/discover","params":{)" + Meta() + "}}");
  EXPECT_EQ(Receive().at("id"), 1);
  hub_.Tell({Change::Kind::kTools});
  EXPECT_TRUE(wire_.quiet());
}

TEST_F(ServeLinesTest, TellsChangesOfSubscribedResourcesInTheHandshakeEra) {
  Initialize("2025-11-25");
  Send(R"({"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"file:///a"}})");
  EXPECT_TRUE(Receive().contains("result"));
  Send(R"({"jsonrpc":"2.0","id":2,"method":"resources/subscribe","params":{"uri":"file:///b"}})");
  EXPECT_EQ(CodeOf(Receive()), -32002);
  hub_.Tell({Change::Kind::kResource, "file:///a"});
  EXPECT_EQ(Receive().at("method"), "notifications/resources/updated");
  Send(R"({"jsonrpc":"2.0","id":3,"method":"resources/unsubscribe","params":{"uri":"file:///a"}})");
  Receive();
  hub_.Tell({Change::Kind::kResource, "file:///a"});
  EXPECT_TRUE(wire_.quiet());
}

TEST(ServeLines, AnswersWhatCameBeforeTheEnd) {
  Fake service;
  Hub hub;
  Wire wire;
  wire.Send(R"({"jsonrpc":"2.0","id":1,"method":"ping"})");
  wire.Send(R"({"jsonrpc":"2.0","id":2,"method":"ping"})");
  wire.Close();
  EXPECT_TRUE(ServeLines(service, hub, wire));
  EXPECT_TRUE(wire.Receive().contains("result"));
  EXPECT_TRUE(wire.Receive().contains("result"));
}

TEST(ServeLines, BatchesOf20250326AreAnsweredTogether) {
  Fake service;
  Hub hub;
  Wire wire;
  wire.Send(
      R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{}}})");
  wire.Send(
      R"([{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"x"},{"jsonrpc":"2.0","id":2,"method":"ping"}])");
  wire.Close();
  EXPECT_TRUE(ServeLines(service, hub, wire));
  EXPECT_EQ(wire.Receive().at("id"), 0);
  EXPECT_THROW(wire.Receive(), std::exception) << "an array, not an object";
}

}  // namespace
}  // namespace cordon::mcp
