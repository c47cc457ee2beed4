// A server on HTTP with little behind it, and clients of both eras.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "mcp/http_server.h"
#include "tests/support/raw_client.h"

namespace cordon::test {

namespace json = boost::json;

// "echo" answers, "noisy" says something before, "ask" asks for a name, "wait" waits to be
// cancelled or released, "write" needs a scope, "huge" answers at length, "region" has a
// parameter that is repeated in a header.
class FakeService final : public mcp::Service {
 public:
  FakeService() {
    description_.name = "fake";
    description_.version = "1";
    description_.capabilities =
        json::parse(R"({"tools":{"listChanged":true},"resources":{"subscribe":true},
                        "prompts":{},"logging":{}})")
            .as_object();
  }
  const mcp::Description& Describe() const override { return description_; }
  mcp::Answered<mcp::Page> ListTools(mcp::Exchange& /*exchange*/,
                                     const Cursor& /*cursor*/) override {
    return mcp::Page{json::array{json::object{{"name", "echo"}}}, {}};
  }
  mcp::Answered<mcp::ToolResult> CallTool(mcp::Exchange& exchange, std::string_view name,
                                          const json::object& arguments) override {
    ++calls;
    if (name == "write" && !exchange.client().principal.MayUse("files:write")) {
      return tl::make_unexpected(mcp::InsufficientScope("files:read files:write"));
    }
    if (name == "noisy") exchange.Log(mcp::LogLevel::kError, "fake", "noise");
    if (name == "huge") return Text(std::string(std::size_t{3} << 20, 'h'));
    if (name == "wait") Wait(exchange.stop());
    if (name == "ask") {
      const auto answer = exchange.Ask("name", "elicitation/create", {{"message", "who?"}},
                                       std::chrono::seconds(5));
      return Text(answer ? json::serialize(*answer) : "nobody");
    }
    if (name == "nothing") return tl::make_unexpected(mcp::InvalidParams("no such tool"));
    return Text(json::serialize(arguments));
  }
  const json::object* MarkedSchema(std::string_view name) const override {
    static const json::object schema = json::parse(R"({"type":"object","properties":{
            "where":{"type":"string","x-mcp-header":"Region"}}})")
                                           .as_object();
    return name == "region" ? &schema : nullptr;
  }
  mcp::Answered<json::array> ReadResource(mcp::Exchange& /*exchange*/,
                                          std::string_view uri) override {
    if (uri != "file:///\xc3\xa4") return tl::make_unexpected(mcp::ResourceNotFound(uri));
    return json::array{json::object{{"uri", uri}, {"text", "a"}}};
  }
  mcp::Answered<Lease> Subscribe(mcp::Exchange& /*exchange*/, std::string_view /*uri*/) override {
    return std::make_shared<int>(0);
  }

  void Release() {
    const std::lock_guard lock(mutex_);
    released_ = true;
    changed_.notify_all();
  }

  std::atomic<int> calls = 0;
  std::atomic<int> waiting = 0;
  std::atomic<int> cancelled = 0;

 private:
  static mcp::ToolResult Text(std::string text) {
    mcp::ToolResult result;
    result.content.push_back(json::object{{"type", "text"}, {"text", std::move(text)}});
    return result;
  }
  void Wait(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    ++waiting;
    changed_.wait_for(lock, stop, std::chrono::seconds(10), [this] { return released_; });
    --waiting;
    if (stop.stop_requested()) ++cancelled;
  }

  mcp::Description description_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  bool released_ = false;
};

// One after the other "key: value", then the body.
inline std::string HttpText(const std::string& method, const std::string& path,
                            const std::string& fields, const std::string& body) {
  std::string text = method + " " + path + " HTTP/1.1\r\n";
  if (fields.find("Host:") == std::string::npos) text += "Host: localhost\r\n";
  text += fields;
  if (method == "POST") {
    if (fields.find("Content-Type:") == std::string::npos) {
      text += "Content-Type: application/json\r\n";
    }
    if (fields.find("Accept:") == std::string::npos) {
      text += "Accept: application/json, text/event-stream\r\n";
    }
    text += "Content-Length: " + std::to_string(body.size()) + "\r\n";
  }
  return text + "\r\n" + body;
}

// The messages in a stream of events, in order.
inline std::vector<json::object> MessagesIn(const std::string& events) {
  std::vector<json::object> messages;
  for (std::size_t at = 0; (at = events.find("\ndata: ", at)) != std::string::npos;) {
    at += 7;
    messages.push_back(json::parse(events.substr(at, events.find('\n', at) - at)).as_object());
  }
  return messages;
}

// The id of the last event; "" if none has one.
inline std::string LastEventId(const std::string& events) {
  const std::size_t at = events.rfind("id: ");
  return at == std::string::npos ? "" : events.substr(at + 4, events.find('\n', at) - at - 4);
}

class HttpTest : public ::testing::Test {
 protected:
  void Start(mcp::HttpOptions options = {},
             std::shared_ptr<const auth::Access> access = auth::EverybodyWhoConnects()) {
    options.address = {"127.0.0.1", 0};
    auto started = mcp::HttpServer::Start(service_, hub_, std::move(access), std::move(options));
    ASSERT_TRUE(started.has_value()) << started.error().detail;
    server_ = std::move(*started);
    const std::string url = server_->url();
    port_ = static_cast<std::uint16_t>(std::stoi(url.substr(url.rfind(':') + 1)));
  }
  ~HttpTest() override {
    service_.Release();
    server_.reset();
  }
  RawAnswer Ask(const std::string& fields, const std::string& body,
                const std::string& method = "POST") {
    RawClient client(port_);
    return client.Ask(HttpText(method, "/mcp", fields, body));
  }
  template <typename Done>
  static bool Eventually(Done done) {
    for (int i = 0; i < 2500 && !done(); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return done();
  }

  // Stateless era.
  static std::string Meta(const std::string& capabilities = "{}",
                          const std::string& version = "2026-07-28") {
    return R"("_meta":{"io.modelcontextprotocol/protocolVersion":")" + version +
           R"(","io.modelcontextprotocol/clientCapabilities":)" + capabilities + "}";
  }
  static std::string Body(const std::string& method, const std::string& params) {
    return R"({"jsonrpc":"2.0","id":7,"method":")" + method + R"(","params":{)" + params + "}}";
  }
  static std::string Headers(const std::string& method, const std::string& name = "") {
    return "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: " + method + "\r\n" +
           (name.empty() ? "" : "Mcp-Name: " + name + "\r\n");
  }
  static std::string Tool(const std::string& tool, const std::string& more = "") {
    return HttpText(
        "POST", "/mcp", Headers("tools/call", tool) + more,
        Body("tools/call", R"("name":")" + tool + R"(","arguments":{"a":1},)" + Meta()));
  }

  // Handshake era.
  std::string Initialize(const std::string& version = "2025-11-25",
                         const std::string& capabilities = "{}", const std::string& more = "") {
    const RawAnswer answer = Ask(
        more, Body("initialize", R"("protocolVersion":")" + version + R"(","capabilities":)" +
                                     capabilities + R"(,"clientInfo":{"name":"t","version":"1"})"));
    EXPECT_EQ(answer.status, 200) << answer.body;
    return answer.Field("Mcp-Session-Id");
  }
  static std::string InSession(const std::string& id) { return "Mcp-Session-Id: " + id + "\r\n"; }
  static std::string Call(const std::string& tool, int id = 7) {
    return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) +
           R"(,"method":"tools/call","params":{"name":")" + tool + R"(","arguments":{"a":1}}})";
  }
  static int CodeIn(const std::string& body) {
    const json::value parsed = json::parse(body);
    return parsed.as_object().contains("error")
               ? static_cast<int>(parsed.at("error").at("code").as_int64())
               : 0;
  }

  FakeService service_;
  mcp::Hub hub_;
  std::unique_ptr<mcp::HttpServer> server_;
  std::uint16_t port_ = 0;
};

}  // namespace cordon::test
